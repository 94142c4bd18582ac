"""The settings of this page and its views, with their defaults and limits."""

from explorer.views.frame.setting import Setting

MODEL = Setting("model", "gpt")
VIEW_NAME = Setting("view", "written")
SENTENCE = Setting("sentence", 0)
POINT = Setting("point", -1)
WORD = Setting("word", "")
MEASURE = Setting("measure", "loss")  # of the learning curves
