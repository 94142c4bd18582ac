"""Why it said that

Put a state of one run into another, and see whether the answer moves: looking becomes cause.
"""

from explorer.views.frame.order import run
from explorer.views.why import page

run(page.PAGE)
