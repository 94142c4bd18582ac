"""Two languages in one model: is what a sentence means one place for both?

vectors       a text as the mean of its tokens, at every layer; what all texts of a language share
retrieval     finding a sentence's translation among others, by layer
zero_shot     a classifier that learns in one language and is asked in the other
places        both languages on one plane, by layer
"""
