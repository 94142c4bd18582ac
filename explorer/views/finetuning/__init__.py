"""The page Fine-tuning: a head on top of a model, for each of BERT's four cases, trained while one looks on."""
