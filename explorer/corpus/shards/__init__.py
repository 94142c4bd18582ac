"""Texts past what a page takes: a word's vectors in many files, computed in parts and read a piece at a time.

    texts     which files are read, and where each is cut into parts
    manifest  what a folder of vectors says of itself: model, weights, layers, words, parts
    shard     one part's occurrences of one word as a Parquet file, there whole or not at all
    worker    one part: its sentences, the occurrences, their vectors
    run       the parts that are missing, one after the other; what is complete is not computed again
    scaled    the same over several processes or machines, with Ray Data
    opened    a folder of vectors as it is read: how many, a fair draw, all of them piece by piece

`python -m explorer.corpus embed` makes such a folder; the map of Word senses shows it. Only `scaled` knows
of Ray.
"""
