"""Transformer

How does one layer turn the vectors of a sentence into new ones? Follow the numbers from step to step.
"""

from explorer.views.frame.view import run
from explorer.views.transformer import page

run(page)
