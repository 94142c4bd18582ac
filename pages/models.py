"""About the models

What each model is, and what it knew when: at its first step, halfway, and at the end of its training.
"""

from explorer.views.about import page
from explorer.views.frame.view import run

run(page.PAGE)
