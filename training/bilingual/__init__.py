"""A second language for a trained BERT: new tokens, and small differences of its layers."""
