"""Which models there are: their names, what they can do, and those that ship."""
