"""What heads do

Some look one word back, some from an object to its verb: find out which does what, and whether it matters.
"""

from explorer.views.frame.view import run
from explorer.views.heads import page

run(page.PAGE)
