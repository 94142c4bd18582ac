"""Texts larger than a page takes: a word's vectors in many files, computed in parts beforehand.

    texts     which files are read, and where each is split into parts
    manifest  what a folder of vectors holds: model, weights, layers, words, parts
    shard     one part's occurrences of one word as a Parquet file, complete or absent
    worker    one part: its sentences, the occurrences, their vectors
    plan      the parts that are missing, computed one after the other
    ray_data  the same in several processes or on several machines, with Ray Data
    reader    a complete folder of vectors: counts, random samples, all vectors in batches

`python -m explorer.corpus embed` creates such a folder; the map of Word senses shows it. Only `ray_data`
imports Ray.
"""
