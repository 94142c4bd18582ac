"""word2vec: skip-gram with negative sampling, with a training loop of its own."""
