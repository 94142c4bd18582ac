"""About the models

What each model is, and what it knew at the start, halfway through, and at the end of training.
"""

from explorer.views.about import page
from explorer.views.frame.order import run

run(page.PAGE)
