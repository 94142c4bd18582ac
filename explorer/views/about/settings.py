"""The settings of this page and its views, with their defaults and limits."""

from explorer.views.settings.setting import Setting

# Links from before the page opened on what GPT wrote have no view, or no model.
MODEL = Setting("model", "gpt", explicit=True)
VIEW_NAME = Setting("view", "written", explicit=True)
SENTENCE = Setting("sentence", 0)
POINT = Setting("point", -1)
WORD = Setting("word", "")
MEASURE = Setting("measure", "loss")  # of its card
