"""Word senses

One word in many sentences: how a model represents it in each of them.
"""

from explorer.views.frame.order import run
from explorer.views.senses import page

run(page.PAGE)
