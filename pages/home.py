"""Start here

Small language models run on this computer. Type, click, and watch what they make of your words.
"""

from explorer.views.frame.view import run
from explorer.views.home import page

run(page.PAGE)
