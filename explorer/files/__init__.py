"""Files of other people: what one is by its first bytes, its encoding, its lines, the rows of a table."""
