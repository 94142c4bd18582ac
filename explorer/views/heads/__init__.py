"""What heads do: kinds of head, the heads that draw an arc, and the model without some."""
