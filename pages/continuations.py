"""Continuations

A model that reads from left to right writes on, one token at a time; see what it might have written instead.
"""

from explorer.views.continuations import page
from explorer.views.frame.view import run

run(page.PAGE)
