"""Word vectors

Every word is a list of numbers, learnt from the company it keeps: words used in similar ways point in
similar directions.
"""

from explorer.views.frame.order import run
from explorer.views.vectors import page

run(page.PAGE)
