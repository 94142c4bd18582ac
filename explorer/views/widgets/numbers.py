"""A probability in words for everybody, 46%, or as the number 0.46 for those who have chosen so."""

import streamlit as st

from explorer.locale import _, format_number, localised, percent
from explorer.server.session import Session
from explorer.server.streamlit_private import in_script
from explorer.views.settings.settings import presenting_on

DECIMAL = Session("/decimal", False)  # whether this visitor reads 0.46
LEAST = 0.0001


def in_words(probability: float, decimals: bool | None = None) -> str:
    """A probability as this visitor reads it in a sentence: the smallest are “less than 1 in 10,000”.

    `decimals` is what `reads_decimals` said to whoever writes for a visitor from another thread.
    """
    decimals = reads_decimals() if decimals is None else decimals
    if 0 < probability < LEAST and not decimals:
        return _("less than 1 in {count}", count=format_number(1 / LEAST))
    return decimal(probability) if decimals else per_cent(probability)


def short(probability: float) -> str:
    """A probability as this visitor reads it, no wider than seven characters."""
    return decimal(probability) if reads_decimals() else per_cent(probability)


def per_cent(probability: float) -> str:
    """In whole per cent; below half of one in one digit.

    >>> [per_cent(p) for p in (0.4555, 0.0087, 0.0021, 2.1e-6, 0.9996)]
    ['46%', '1%', '0.2%', '<0.01%', '>99%']
    """
    if 0 < probability < LEAST:
        return _("<{number}%", number=localised(f"{100 * LEAST:g}"))
    if 0.995 <= probability < 1:
        return _(">{number}%", number="99")
    digits = ".1g" if 0 < probability < 0.005 else ".0f"
    return percent(localised(f"{100 * probability:{digits}}"))


def whole_percent(share: float) -> str:
    """A share of any sign in whole percent, as in cells: 87%, −3%."""
    return percent(round(100 * share)).replace("-", "−")


def decimal(probability: float) -> str:
    """In two significant figures, no wider than seven characters.

    >>> decimal(0.4555), decimal(0.0087), decimal(2.1e-6)
    ('0.46', '0.0087', '2.1e-6')
    """
    if probability == 0:
        return "0"
    if probability < LEAST:
        mantissa, exponent = f"{probability:.1e}".split("e")
        return localised(f"{mantissa}e{int(exponent)}")
    digits = max(1 - int(f"{probability:.1e}".split("e")[1]), 1)
    return localised(f"{probability:.{digits}f}")


def switch() -> None:
    """For all pages, below their list: whether probabilities are written as 0.46."""
    DECIMAL.set(DECIMAL.get())  # kept where the switch is not drawn
    if not presenting_on():
        st.sidebar.toggle(
            _("Show 0.46 in place of 46%"), key=DECIMAL, help=_("Write probabilities with two figures")
        )


def reads_decimals() -> bool:
    """Whether this visitor has chosen so; on a projector, and in a notebook, nobody has."""
    return in_script() and DECIMAL.get() and not presenting_on()
