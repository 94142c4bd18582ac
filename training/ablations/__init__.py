"""Short runs of BERT's training in which one part is left out."""
