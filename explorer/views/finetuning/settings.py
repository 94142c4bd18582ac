"""The settings of this page and its views, with their defaults and limits."""

from typing import Any

from explorer import assets
from explorer.views.settings.setting import Setting

TEXTS = assets.table(assets.FINETUNING / "texts.toml")
# another_language.py
OTHER_TASK = Setting("other_task", "topics")
OTHER_MEANS = Setting("other_means", False)

# answer_in_text.py
QUESTION = Setting("question", TEXTS["question"], most=500)
PASSAGE = Setting("passage", TEXTS["passage"], most=4000)
ANSWERS_SET = Setting("answers_set", "passages")
ANSWERS_OWN = Setting("answers_own", TEXTS["answers_own"], most=100000)

# classes.py
SENTENCE = Setting("sentence", TEXTS["sentence"], most=2000)
SENTENCE_SET = Setting("sentence_set", "spam")
SENTENCE_OWN = Setting("sentence_own", TEXTS["sentence_own"], most=100000)
FIRST = Setting("first", TEXTS["first"], most=2000)
SECOND = Setting("second", TEXTS["second"], most=2000)
PAIRS_SET = Setting("pairs_set", "pairs")
PAIRS_OWN = Setting("pairs_own", TEXTS["pairs_own"], most=100000)

# elmo.py
ELMO_SET = Setting("elmo_set", "words/slots")

# every_word.py
LINE = Setting("line", TEXTS["line"], most=2000)
WORDS_SET = Setting("words_set", "slots")
WORDS_OWN = Setting("words_own", TEXTS["words_own"], most=100000)

# gpt.py
GPT_KIND = Setting[Any]("gpt_kind", "classification")
GPT_MESSAGE = Setting("gpt_message", TEXTS["message"], most=500)
GPT_ONE = Setting("gpt_one", "A nurse is giving a boy his medicine.", most=500)
GPT_TWO = Setting("gpt_two", "A child is taking medicine.", most=500)
GPT_THREE = Setting("gpt_three", "The boy gives the nurse a horse.", most=500)

# other_ways.py
METHOD_SHOWN = Setting("way", "gpt")

# page.py
VIEW_NAME = Setting("view", "sentence")
MODEL = Setting("model", "bert")
BODY = Setting[Any]("body", "frozen")
MANY = Setting("many", 0, least=0)
SEED = Setting("seed", 0, least=0)
HEAD = Setting("head", "", most=4000)
