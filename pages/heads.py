"""What heads do

Some heads look one word back, others from an object to its verb. Find out which head does what, and whether
it matters.
"""

from explorer.views.frame.order import run
from explorer.views.heads import page

run(page.PAGE)
