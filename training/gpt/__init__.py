"""GPT: the next token, from zero."""
