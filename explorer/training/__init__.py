"""Training the bundled checkpoints: `python -m explorer.training bert` (or `gpt`), see `--help`."""
