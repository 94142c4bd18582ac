"""A visitor's own text: read as it streams by, cut into sentences, indexed, searched, sampled.

    contents = inspect("notes.csv", file)         what is in the file, which column holds the text
    index = build(contents, file)                 one private temporary database
    found = lookup(index, "bank")                 every occurrence of a word
    sample = draw(index, found, 60, seed=0)       some of them, drawn at random
    embed(model, sample)                          their vectors, a few at a time

inspection.py and rows.py read files, splitting.py cuts sentences, folder.py keeps the databases
private and short-lived, matching.py knows word forms and which words an index can look up,
suggestions.py proposes words.
"""
