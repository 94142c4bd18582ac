"""The sentences of the attention page."""

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = "The animal didn't cross the street because it was too wide."
IT = ["from", 10, "it"]
