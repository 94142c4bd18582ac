"""What each part of BERT's training is for: short runs in which one part is left out."""
