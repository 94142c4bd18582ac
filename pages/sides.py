"""From both sides

One model reads from the left, one from the right. Each predicts the word in between.
"""

from explorer.views.elmo import page
from explorer.views.frame.order import run

run(page.PAGE)
