"""The page Fine-tuning: a head for each of BERT's four cases, trained while one looks on."""
