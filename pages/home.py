"""Language models at work

Riverbank runs small language models on this computer. Write, press, and watch what they make of your words.
"""

from explorer.views.frame.order import run
from explorer.views.home import page

run(page.PAGE)
