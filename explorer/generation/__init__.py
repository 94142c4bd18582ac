"""Text generation with a left-to-right model, for many visitors at once.

    request -> scheduler -> one batch step -> a sampled token

sampling    from logits to one token: the settings, and the draw
sampling_steps  temperature, top-k, top-p and the other steps before the draw, in any order
grammar     which tokens may come next in a text that matches a pattern
watermark   which tokens get a push, and how it is found in a text
pipeline    every stage of sampling one token, for display
scheduler   the queue of requests, and which are served together
engine      the batch step over waiting requests, with the network's `models.stepping`
"""
