"""A second language for a BERT that is trained: new pieces, and small differences of its layers."""
