"""Attention

What does a head look at? Each token on the left reads from those on the right; a heavier line means more.
"""

from explorer.views.attention import page
from explorer.views.frame.view import run

run(page.PAGE)
