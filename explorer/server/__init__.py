"""The server around the pages: visitors, models in memory, bounds, caches."""
