"""From text files to rows of token ids."""
