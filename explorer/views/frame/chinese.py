"""What the bundled model that reads Chinese is called; presets for it are unlisted until it is there."""

MODEL = "bert-zh"
