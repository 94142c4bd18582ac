"""BERT: masked words and next sentences, from a published encoder or from random weights."""
