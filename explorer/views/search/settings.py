"""The settings of this page, and the kinds of vectors that its views compare.

Beside the page's model are counts of words, two models that have never seen a pair of sentences with one
meaning, and MiniLM, which has, in English. `bert` has too: its training went on from that of MiniLM.
"""

from explorer.catalogue.manifest import default_model
from explorer.locale import N_
from explorer.views.settings.setting import Setting

COUNTS, ENCODER = "tfidf", "model"
KINDS = {
    COUNTS: N_("Counts of words"),
    "word2vec": N_("word2vec, averaged"),
    "bert-mini": N_("BERT mini, averaged"),
    "minilm": "MiniLM",
}

VIEW_NAME = Setting("view", "sentences")
MODEL = Setting("model", default_model("sentences"))
KIND = Setting("kind", ENCODER)
