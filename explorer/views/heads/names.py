"""The thresholds at which a head gets a name, and their sources, in an expander."""

import streamlit as st

from explorer import assets
from explorer.views.frame.page import prose


def names(relation: str) -> None:
    """Draw the expander, with the name that Clark et al. (2019) give to this relation."""
    from explorer.analysis.heads.relations import CLARK

    with st.expander("Where the names come from"):
        st.markdown(assets.text(assets.TEXTS / "head_names.md"))
        if clark_name := CLARK.get(relation):
            other = ", read from the noun: our *→ prep.*" if relation == "case" else ""
            prose(
                f"names/{relation}", f"`{relation}` is what Clark et al. (2019) call `{clark_name}`{other}."
            )
