"""Word senses: one word in many sentences, as a map, a matrix or curves."""
