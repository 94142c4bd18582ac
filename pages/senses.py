"""Word senses

One word, many sentences: what a model makes of the word in each of them.
"""

from explorer.views.frame.view import run
from explorer.views.senses import page

run(page.PAGE)
