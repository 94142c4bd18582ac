"""Several server processes for one classroom: `python -m explorer.workers --workers 4 --lan`.

One process computes on about one core, however many the machine has. Here several workers run behind a
`proxy`, which sends a browser to the same worker each time (both are `processes`). The `supervisor` starts
them, starts again what has ended, and stops all of them together.
"""
