"""Training the bundled checkpoints: `python -m training bert` (or `gpt`), see `--help`."""
