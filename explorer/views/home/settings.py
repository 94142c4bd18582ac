"""The settings of this page and its views, with their defaults and limits."""

from explorer.views.settings.setting import MOST_WORD, Setting

TEXT = Setting("text", "The bank lent us the [MASK] for a new house.")
GAP_AT = Setting("gap", 0, least=0)  # the number of the gap that is guessed
HIDDEN = Setting("hidden", "", most=MOST_WORD)  # the word that a click hid; "" if it is not known
