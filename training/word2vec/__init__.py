"""word2vec: skip-gram with negative sampling, a command of its own."""
