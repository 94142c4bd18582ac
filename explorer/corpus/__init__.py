"""A visitor's own text: read as it streams by, cut into sentences, indexed, searched, sampled.

    with open("notes.csv", "rb") as file:
        contents = inspect("notes.csv", file)             which column holds the text, which the sense
        index = build(contents.name, read(contents, file, Report()))      a private, temporary database
    found = lookup(index, "bank")                         every occurrence of a word
    sample = draw(index, found, 60, seed=0)               some of them, drawn at random
    vectors = embed(model, sample.occurrences, "bank")    a few sentences at a time

Files: encoding, inspection and rows read what people have; splitting cuts sentences; folder keeps the
databases private and short-lived; matching knows word forms and how to ask an index for a word;
suggestions proposes words. What is too large for all this goes through `shards`: a word's vectors are
computed beforehand, by `python -m explorer.corpus embed`.
"""
