"""Search by meaning: sentences as vectors, and what is found with them."""
