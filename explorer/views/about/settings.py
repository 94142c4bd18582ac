"""The settings of this page and its views, with their defaults and limits."""

from explorer.views.frame.setting import Setting

MODEL = Setting("model", "bert")
VIEW_NAME = Setting("view", "predicted")
SENTENCE = Setting("sentence", 0)
POINT = Setting("point", -1)
WORD = Setting("word", "")
