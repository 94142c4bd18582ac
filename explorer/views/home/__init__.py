"""Start here: one sentence with a blank, two models in words, links to the other pages."""
