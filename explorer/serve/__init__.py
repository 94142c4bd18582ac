"""Several server processes for one classroom: `python -m explorer.serve --workers 4 --lan`.

One process computes on about one core, however many the machine has. Here several `workers` run behind a
`proxy`, which sends a browser to the same worker each time. The `supervisor` starts them, starts again what
has ended, and stops all of them together.
"""
