"""Fine-tuning

A small head on top of a finished model, trained for a task of yours while you look on: BERT's four cases.
"""

from explorer.views.finetuning import page
from explorer.views.frame.view import run

run(page.PAGE)
