"""Writing text with a left-to-right model, for many visitors at once.

    request -> scheduler -> one batch step -> a sampled token

sampling    from logits to one token: temperature, top-k, top-p, the draw
pipeline    every stage of one token, to be looked at
scheduler   who waits for a step, and which requests are served together
attention   the key/value caches of several texts, one new position each
product     rows times weights; one row by the float16 that the weights are stored in (half_product)
engine      the batch step over all that wait
"""
