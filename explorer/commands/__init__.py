"""Commands that a person types."""
