"""Riverbank: an explorer of meaning inside language models. Start it with `streamlit run app.py`."""

import streamlit as st

from explorer.server import server, streamlit_private, warm_up
from explorer.views.frame import navigation
from explorer.views.frame.lecture import notes_window


def show_script_error(error: Exception) -> bool:
    """Show an error that a fragment or a callback has raised, as a page shows its own."""
    from explorer.views.frame import page  # not needed for a start

    return page.show_script_error(error)


app = st.App(
    __file__,
    lifespan=server.lifespan,
    routes=[*server.routes(), *notes_window.addresses()],
    middleware=server.MIDDLEWARE,
    on_script_error=show_script_error,
)

if streamlit_private.in_script():  # this file is the server's, and the script of every visitor
    navigation.run()
else:
    warm_up.begin()
