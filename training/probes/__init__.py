"""How the shipped probes were made, and measured."""
