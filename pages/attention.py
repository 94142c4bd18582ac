"""Attention

Each token on the left attends to the tokens on the right. A thicker line means more attention.
"""

from explorer.views.attention import page
from explorer.views.frame.order import run

run(page.PAGE)
