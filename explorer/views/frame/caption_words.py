"""What a setting and its values are called on screen, for the lines under a saved picture.

A text box says its own label. A test reads the labels off the widgets of every view, so that this list
cannot fall behind them.
"""

from typing import Any

# Settings that a widget holds; one that is not here is none that a visitor would know, and stays out.
WORDS: dict[str, str | dict[str, str]] = {
    # word vectors
    "kin": "which relative",
    "asked": "let these words take part",
    "method": "method",
    "window": "window",
    "dimensions": "dimensions",
    "negatives": "negatives",
    # from both sides, masked words
    "separated": "words as I separated them",
    "k": "how many candidates",
    "task": "task",
    "share": "chosen tokens, in percent",
    "whole": "hide a whole word",
    "blanks": "blanks",
    "steps": "steps",
    "start": "start from",
    "seed": "seed",
    # attention, what heads do
    "layer": "layer",
    "head": "head",
    "hide": "hide special tokens",
    "across_layer": "layers",
    "look_layer": "layer",
    "look_head": "head",
    "look_heat": "temperature",
    "compare": "compare",
    "compare_model": "the other model",
    "bertviz": "BertViz view",
    "of": {"heads": "measured on", "vectors": "words"},
    "what": "what a head does",
    "way": {"heads": "direction", "continuations": "colour by"},
    "by": "order",
    "rescale": "leave special tokens out",
    "how": "how a head is switched off",
    # word senses
    "senses": "senses",
    "contours": "contours",
    "wordnet": "WordNet’s senses",
    "projection": "projection",
    "axes": "dimensions",
    "order": "order",
    "baseline": "subtract the random baseline",
    "adjusted": "subtract the random baseline",
    "measure": "measure",
    "more": "more measures",
    "static": "vectors",
    "depth": "layer",
    # continuations
    "temperature": "temperature",
    "top_k": "top-k",
    "top_p": "top-p",
    "length": "length",
    "source": "text",
    "second": "a second model",
    "width": "beam width",
    "keep": "top-k",
    "mass": "top-p",
    "alpha": "contrastive α",
    "game": "what to guess",
    "masker": "the model",
}
# What a picture of our own asks for, so that no widget of Streamlit's does: by page and view.
IN_PICTURES = {
    ("attention", "head"): ("layer", "head"),
    ("masked", "layers"): ("layer",),
    ("senses", "map"): ("layer",),
    ("senses", "matrix"): ("layer",),
    ("senses", "new"): ("layer",),
}
# The values that are not what a visitor reads; a setting of several pages has them all.
VALUES: dict[str, dict[Any, str]] = {
    "layer": {-1: "the last"},
    "across_layer": {0: "after all"},
    "look_layer": {-1: "all layers"},
    "look_head": {-1: "all heads"},
    "compare": {"texts": "sentences"},
    "of": {
        "written": "200 by hand",
        "grammar": "300 by a grammar",
        "repeated": "random, repeated",
        "live": "your sentence",
        "chosen": "my words",
        "frequent": "500 most frequent",
    },
    "way": {"to_head": "from", "to_dependent": "to", "bands": "rank"},
    "by": {"attention": "by attention", "margin": "over distance"},
    "projection": {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP", "lda": "LDA", "axes": "my axes"},
    "axes": {2: "2-D", 3: "3-D"},
    "order": {"sense": "by sense", "likeness": "by likeness"},
    "static": {True: "static", False: "in context"},
    "depth": {"best": "best layer", "last": "last layer"},
    "measure": {"macro_f1": "macro-F1", "rand": "Rand index"},
    "task": {"words": "masked words", "next": "next sentence"},
    "method": {"cbow": "CBOW"},
    "kin": {"glove": "GloVe", "fasttext": "fastText", "anything": "not only words"},
    "source": {"typed": "my text", "written": "the continuation"},
    "game": {"next": "next word", "masked": "hidden word"},
    "top_k": {0: "off"},
}
