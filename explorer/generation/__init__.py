"""Text generation with a left-to-right model, for many visitors at once.

    request -> scheduler -> one batch step -> a sampled token

sampling    from logits to one token: temperature, top-k, top-p, the draw
pipeline    every stage of sampling one token, for display
scheduler   the queue of requests, and which are served together
engine      the batch step over waiting requests, with the network's `models.stepping`
"""
