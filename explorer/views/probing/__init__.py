"""What layers know: probes that read a fact off a word's state, by layer and model."""
