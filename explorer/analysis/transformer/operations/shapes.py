"""The shapes of the tensors that the operations take and return."""

from jaxtyping import Float
from torch import Tensor

Vectors = Float[Tensor, "pos d_model"]
Matrix = Float[Tensor, "d_in d_out"]
Vector = Float[Tensor, "d_out"]
Head = Float[Tensor, "pos d_head"]
Pattern = Float[Tensor, "query_pos key_pos"]
