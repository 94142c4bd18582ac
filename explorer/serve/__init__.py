"""Several server processes for one classroom: `python -m explorer.serve --workers 4 --lan`.

One process computes on about one core, however many the machine has. Here several of them (`workers.py`)
stand behind a proxy (`proxy.py`) that sends each browser to the worker it met first. `supervisor.py` starts
them, brings back what died, and stops all of them together.
"""
