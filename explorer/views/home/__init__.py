"""The first page: pictures that move, a sentence to guess at or to continue."""
