"""Search by meaning

What BERT became: a sentence is one vector, and nearest is what means the same.
"""

from explorer.views.frame.order import run
from explorer.views.search import page

run(page.PAGE)
