"""Word vectors

Every word is a list of numbers, learnt from the company it keeps: words used alike point the same way.
"""

from explorer.views.frame.view import run
from explorer.views.vectors import page

run(page.PAGE)
