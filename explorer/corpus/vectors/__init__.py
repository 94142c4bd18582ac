"""Texts larger than a page takes: a word's vectors in a folder of Parquet files, computed beforehand.

    manifest     what the folder holds: model, weights, layers, words, counts
    occurrences  the text files, and every occurrence of the words in them, as Parquet files
    computing    the occurrences with their vectors, one file after the other
    ray_data     the same in several processes or on several machines, with Ray Data
    reader       a folder of vectors: counts, random samples, all vectors in batches

`python -m explorer.corpus embed` creates such a folder; the map of Word senses shows it. Only `ray_data`
imports Ray.
"""
