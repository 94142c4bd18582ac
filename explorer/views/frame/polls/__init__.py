"""Polls: a question to the class, made from the view on screen, and its answers beside the model's."""
