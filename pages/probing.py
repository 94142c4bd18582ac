"""What layers know

Probes: what can be read off each layer of a model about a word, by a function too simple to know it
by itself.
"""

from explorer.views.frame.view import run
from explorer.views.probing import page

run(page.PAGE)
