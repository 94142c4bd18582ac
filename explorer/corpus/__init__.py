"""A visitor's own text: read as a stream, split into sentences, indexed, searched and sampled.

    with open("notes.csv", "rb") as file:
        contents = inspect("notes.csv", file)             which column holds the text, which the sense
        index = build(contents.name, read(contents, file, Report()))      a private, temporary database
    matches = lookup(index, "bank")                       every occurrence of a word
    sample = draw(index, matches, 60, seed=0)             some of them, drawn at random
    vectors = embed(model, sample.occurrences, "bank")    a few sentences at a time

`inspection` and `rows` read files; `splitting` splits text into sentences; `folder` keeps the databases
private and temporary; `matching` knows word forms and how to query an index for a word; `suggestions`
proposes words.
"""
