"""From both sides

One reader comes from the left, one from the right: each says which word it expects at a place.
"""

from explorer.views.elmo import page
from explorer.views.frame.view import run

run(page.PAGE)
