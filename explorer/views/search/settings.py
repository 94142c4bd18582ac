"""The settings of this page, and the kinds of vectors that its views compare."""

from explorer.catalogue.manifest import default_model
from explorer.views.settings.setting import Setting

# The kinds: counts of words, two models that were not trained for sentences, and the chosen model.
COUNTS, WORDS, LANGUAGE, ENCODER = "tfidf", "word2vec", "bert", "model"
KINDS = {COUNTS: "Counts of words", WORDS: "word2vec, averaged", LANGUAGE: "BERT, averaged"}

VIEW_NAME = Setting("view", "sentences")
MODEL = Setting("model", default_model("sentences"))
KIND = Setting("kind", ENCODER)
