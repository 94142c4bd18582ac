"""Riverbank: an explorer of meaning inside language models. Start it with `streamlit run app.py`."""

from explorer.views.frame import navigation

navigation.run()
