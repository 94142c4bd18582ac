"""From text on disk to rows of token ids."""
