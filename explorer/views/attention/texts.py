"""The sentences of the attention page, and what all its views say of them."""

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = "The animal didn't cross the street because it was too wide."
IT = ["from", 10, "it"]

NOT_WHY = (
    "Attention is not explanation. A thick line says what a head read, not why the model "
    "answered as it did (Jain and Wallace 2019; Wiegreffe and Pinter 2019)."
)
