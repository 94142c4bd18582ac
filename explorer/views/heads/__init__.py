"""The heads page: kinds of head, heads that attend along given arcs, and the model without some heads."""
