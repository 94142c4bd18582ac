"""A limit that all live views share."""

# Tokens of a text that a live view reads: patterns grow with the square. The page says what was cut.
LIVE_TOKENS = 128
