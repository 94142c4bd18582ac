"""The Streamlit side: the page frame, the components, the pictures. Nothing else imports Streamlit.

Modules here import torch and the analyses inside functions, so that a page's first words are
on screen before anything heavy is loaded.
"""
