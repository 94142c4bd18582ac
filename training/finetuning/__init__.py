"""Heads that ship, and what was measured with them: made on labelled sets that do not."""
