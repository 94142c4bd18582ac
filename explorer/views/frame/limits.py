"""What every live view agrees on."""

# Tokens of one text that a live view reads: patterns grow with the square, and the page says what was cut.
LIVE_TOKENS = 128
