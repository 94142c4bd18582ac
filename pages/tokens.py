"""Tokens

A model reads pieces of words. How a text is cut, and how the pieces were learnt.
"""

from explorer.views.frame.order import run
from explorer.views.tokens import page

run(page.PAGE)
