"""Riverbank: an explorer of meaning inside language models. Start it with `streamlit run app.py`."""

import streamlit as st

from explorer.views.frame import navigation
from explorer.views.frame.server import server, warm_up

app = st.App(
    __file__,
    lifespan=server.lifespan,
    routes=server.ROUTES,
    middleware=server.MIDDLEWARE,
    on_script_error=server.show_script_error,
)

if server.in_script():  # this file is the server's, and the script of every visitor
    navigation.run()
else:
    warm_up.begin()
