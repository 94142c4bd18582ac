"""What the layers of a model know: probes that read a fact off the hidden state of a word."""
