"""Word vectors: neighbours, analogies, maps, one-hot against dense, and a training to watch."""
