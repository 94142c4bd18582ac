"""Training `translator`: pairs of sentences, their split, their pieces, and the task."""
