"""What layers know

Probes: what a very simple classifier can read off each layer about a word.
"""

from explorer.views.frame.order import run
from explorer.views.probing import page

run(page.PAGE)
