"""GPT: next-token prediction from random weights."""
