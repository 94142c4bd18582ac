"""Two languages in one model: do sentences with the same meaning have similar vectors?

vectors       a text as the mean of its tokens, at every layer; centring each language; both on one plane
retrieval     finding a sentence's translation among others, by layer
zero_shot     a classifier trained in one language and tested in the other
"""
