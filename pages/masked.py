"""Masked words

Hide a word, and see which words the model expects in its place.
"""

from explorer.views.frame.order import run
from explorer.views.masked import page

run(page.PAGE)
