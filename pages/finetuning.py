"""Fine-tuning

A small head on top of a finished model, trained on your own task while you watch: BERT’s four cases.
"""

from explorer.views.finetuning import page
from explorer.views.frame.order import run

run(page.PAGE)
