"""What the bundled model that reads Chinese is called."""

MODEL = "bert-zh"
