"""The settings of the page of causes and its views, with their defaults and limits."""

from typing import Any

from explorer.views.frame.default_models import WRITER
from explorer.views.settings.setting import MOST_WORD, Setting

# All views
VIEW_NAME = Setting("view", "where")
MODEL = Setting("model", WRITER)
OPENING = {"smollm2": ("The capital of France is", "The capital of Italy is")}
PROMPTS = OPENING.get(WRITER, ("The queen lost", "The king lost"))  # which our own small GPT can tell apart
FIRST = Setting("first", PROMPTS[0])
SECOND = Setting("second", PROMPTS[1], most=600)
ANSWER = Setting("answer", "", most=MOST_WORD)  # "": the likeliest after the first prompt
INSTEAD = Setting("instead", "", most=MOST_WORD)  # "": the likeliest after the second
PROBABILITY = Setting("probability", False)  # whether answers are compared by probability, not by logits
PART = Setting[Any]("part", None)  # [layer, head], where the number after the last head is the MLP's

# Where the answer is
KIND = Setting("kind", "hidden")  # which states are put in, a key of `where.KINDS`
NOISE = Setting("noise", False)  # whether a part of the first prompt is disturbed in place of a second one
SUBJECT = Setting("subject", PROMPTS[0].split()[-2], most=MOST_WORD)  # that part
CELL = Setting[Any]("cell", None, optional=True)  # [layer, token]; None: nothing is chosen

# Which parts carry it
PLACE = Setting("place", -1, least=-1)  # the token whose heads are put in; -1: the one that answers
TOGETHER = Setting("together", False)  # whether the fewest heads that suffice are shown

# Steer
JOY = """We laughed all evening and nobody wanted to go home.
The sun is out and I could dance in the street.
She hugged her friends, delighted with the good news.
What a lovely surprise, this is the best birthday ever!
The children ran into the garden, happy and excited.
I love this song, it makes me smile every time."""
GLOOM = """We sat in silence all evening and nobody could eat.
The rain won't stop and I feel empty and tired.
She cried alone, crushed by the terrible news.
What an awful loss, this is the worst day of my life.
The children hid in the cellar, frightened and hungry.
I hate this place, it makes me sick every time."""
BEGINNING = Setting("beginning", "When I walked into the house, I", most=600)
TOWARD = Setting("toward", JOY, most=2_000)  # sentences, one a line
AWAY = Setting("away", GLOOM, most=2_000)
MORE, LESS = Setting("more", "glad", most=24), Setting("less", "gloomy", most=24)  # what each list is called
DIAL = Setting("dial", 3.0)  # the largest strength
DEPTH = Setting("depth", {"smollm2": 10}.get(WRITER, 2), least=1)  # the layer after which it is added, from 1
SEED = Setting("seed", 1, least=0)

# Who writes the answer
ALONE = Setting("alone", False)  # whether the answer's logit is split, not its lead over the other answer

# Layer by layer
LENS_COLOUR = Setting("lens_colour", "rank")  # a key of `lens_map.COLOURS`
FOLLOWED = Setting("followed", "", most=MOST_WORD)
STATE = Setting[Any]("state", None, optional=True)  # [layer, token], where layer 0 is the embedding
BESIDE = Setting("beside", False)  # whether the second prompt stands beside the first
PUT = Setting[Any]("put", None, optional=True)  # [layer, token of the first prompt, token of the second]

# Which words mattered
WHICH_OF = Setting("which_of", "word")  # what is predicted: a word, or the class of a ready head, by its name
WHICH_STEPS = Setting("which_steps", 10, least=1, most=64)  # of integrated gradients
