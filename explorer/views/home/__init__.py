"""Start here: one sentence with a blank, the models in words, the ways onward."""
