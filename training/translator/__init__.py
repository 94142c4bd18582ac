"""The translator: pairs of sentences, its tokenizer, and its task."""
