"""Colours, type, sizes on the screen and on paper, and the words that are shown as dots."""
