"""Transformer

What each layer does to a sentence, how it knows the order of the words, and which words may look at which.
"""

from explorer.views.frame.order import run
from explorer.views.transformer import page

run(page.PAGE)
