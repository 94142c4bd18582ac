"""BERT: masked words and next sentences; continued from another encoder, or from zero."""
