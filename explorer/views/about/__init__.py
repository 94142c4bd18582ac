"""About the models: what each is, what it knew when, its curves, its card."""
