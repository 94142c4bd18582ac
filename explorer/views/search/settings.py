"""The settings of this page, and the kinds of vectors that its views compare."""

from explorer.catalogue.manifest import default_model, manifests
from explorer.views.settings.setting import Setting

COUNTS = "tfidf"
KINDS = {  # a model by its name, and the counts of words
    COUNTS: "Counts of words",
    "word2vec": "word2vec, averaged",
    "bert": "BERT, averaged",
    "minilm": "MiniLM",
}
KINDS_HERE = {
    kind: label for kind, label in KINDS.items() if kind == COUNTS or manifests()[kind].is_available()
}

VIEW_NAME = Setting("view", "sentences")
KIND = Setting("kind", default_model("sentences"))
