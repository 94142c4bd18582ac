"""The settings of this page and its views, with their defaults and limits."""

from explorer.views.settings.setting import Setting

TEXT = Setting("text", "The bank lent us the [MASK] for a new house.")
