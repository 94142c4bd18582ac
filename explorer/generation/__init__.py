"""Writing text with a left-to-right model, for many visitors at once.

    request -> scheduler -> one batch step -> a sampled token

sampling    from logits to one token: temperature, top-k, top-p, the draw
pipeline    every stage of one token, to be looked at
scheduler   who waits for a step, and which requests are served together
engine      the batch step over all that wait, by what the network reads on with (`models.stepping`)
"""
