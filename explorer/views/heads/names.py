"""The thresholds at which a head gets a name, and their sources, in an expander."""

import streamlit as st

from explorer.views.frame.page import prose

NAMES = """
A head is named after what it does on our 200 handwritten sentences. A relation must hold on the 300 generated
sentences as well, so that no head is named after a habit of the grammar behind them. Many heads have no name.

| name | when |
|---|---|
| previous, next, same | more than half of its attention goes there (Clark et al. 2019) |
| special | more than 0.6 of it goes to special tokens (Clark et al. 2019) |
| broad | the entropy of its rows is over 78 % of the greatest possible: 3.8 nats of 128 tokens (ibid.) |
| article →, → object, ... | half of 20 questions or more right, and 10 points over the best fixed distance |
| induction, duplicate | more than 0.4 of it, on repeated random tokens (Olsson et al. 2022) |

Relations are those of Universal Dependencies 2 (de Marneffe et al. 2021), on 500 sentences of our own: trees
are known for these, not for a sentence that you type.
"""


def names(relation: str) -> None:
    """Draw the expander, with the name that Clark et al. (2019) give to this relation."""
    from explorer.analysis.heads.relations import CLARK

    with st.expander("Where the names come from"):
        st.markdown(NAMES)
        if clark_name := CLARK.get(relation):
            other = ", read from the noun: our *→ prep.*" if relation == "case" else ""
            prose(
                f"names/{relation}", f"`{relation}` is what Clark et al. (2019) call `{clark_name}`{other}."
            )
