"""Fine-tuned heads that ship, and their figures, from labelled sets that do not ship."""
