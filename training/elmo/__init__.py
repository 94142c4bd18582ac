"""ELMo: two one-way language models over characters."""
