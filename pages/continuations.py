"""Continuations

A left-to-right model continues your text, one token at a time. See what it might have written instead.
"""

from explorer.views.continuations import page
from explorer.views.frame.order import run

run(page.PAGE)
