"""What a class can be asked, and what counts as an answer."""

import json
import re
import unicodedata
from dataclasses import asdict, dataclass, replace

import regex

from explorer.errors import TextError
from explorer.locale import _, format_number
from explorer.room.numbers import read_number

LONGEST = 80  # characters of an answer
LONGEST_QUESTION = 200
LEAST, MOST = 2, 6  # choices of a question
# Control characters, and those that turn the writing's direction for what follows.
CONTROLS = regex.compile(r"[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]")
VISIBLE = regex.compile(r"[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{M}\u2800]")
MANY_MARKS = regex.compile(
    r"(\p{M}{4})\p{M}+"
)  # no script stacks more on a letter; they would cover other rows
COMMA = re.compile("[,，、،]")
LAST_QUESTION_MARK = re.compile(r"(.*(?:[?؟](?:[”’\"')]|[\u00a0\u202f]?»)*(?=\s|$)|？[”’」』）]*))(.*)")
BREAKING_SPACES = re.compile(r"[^\S\u00a0\u202f]+")  # all but those before a French question mark
KINDS = {
    "word": "a word",
    "choice": "one of these",
    "token": "a word of the sentence",
    "number": "a number",
    "free": "anything",
    "side": "a sentence for one of two sides",
}


@dataclass(frozen=True)
class Question:
    """A question to a class.

    `kind` is a key of `KINDS`. `text` is what is asked and `context` the sentence that it is about. `choices`
    are those of “choice”, the words of the sentence for “token”, and the names of both sides for “side”, of
    which an answer has the number, a space and the sentence. `low` and `high` bound a number, which
    may have to be a `whole` one, and is asked for in a `unit`, such as a million.
    """

    kind: str
    text: str
    context: str = ""
    choices: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    whole: bool = False
    unit: float = 1.0

    def check(self, answer: str) -> str:
        """An answer in the form in which it is kept. Raises TextError for one that does not count."""
        if self.kind == "side":
            side, _space, sentence = answer.partition(" ")
            if side not in ("0", "1"):
                raise TextError(_("This sentence is for neither side."), _("Tap one of them."))
            if sentence.isascii() and len(sentence.split()) == 1:
                raise TextError(_("This is no sentence."), _("Write a few words."))
            return f"{side} {replace(self, kind='free').check(sentence)}"
        text = " ".join(CONTROLS.sub("", " ".join(unicodedata.normalize("NFC", answer).split())).split())
        text = str(MANY_MARKS.sub(r"\1", text))
        if not VISIBLE.search(text):
            raise TextError(_("The answer is empty."), _("Write something that can be seen, then send it."))
        if len(text) > LONGEST:
            raise TextError(
                _("The answer has {count} characters.", count=len(text)),
                _("{count} at most are taken.", count=LONGEST),
            )
        if self.kind in ("choice", "token"):
            if not (text.isascii() and text.isdigit() and int(text) < len(self.choices)):
                raise TextError(_("This is not one of the answers."), _("Tap one of them."))
            return str(int(text))
        if self.kind == "number":
            return f"{self._number(text):.10g}"
        return text

    def _number(self, text: str) -> float:
        value = read_number(text, self.low, self.high, self.whole, self.unit)
        if value is None:
            such_as = 0.3 if self.high <= 1 else round((self.low + self.high) / 2)
            bounds = {"text": text, "low": format_number(self.low), "high": format_number(self.high)}
            if self.whole:
                message = _("“{text}” is no whole number from {low} to {high}.", **bounds)
            else:
                message = _("“{text}” is no number from {low} to {high}.", **bounds)
            raise TextError(message, _("Write one, such as {example}.", example=format_number(such_as)))
        return value

    def to_json(self) -> str:
        """The question as it is stored."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Question":
        """A stored question.

        >>> Question.from_json(Question("word", "What comes next?").to_json()).kind
        'word'
        """
        fields = json.loads(text)
        return cls(**fields | {"choices": tuple(fields["choices"])})


def own_question(text: str, choices: str = "") -> Question:
    """The question of a text and of its choices, one a line or with commas between them; free without any.

    Raises TextError for one that cannot be asked.

    >>> own_question("Which?", "a dog, a car").choices, own_question("Which?", "a\\u2028dog\\na car").choices
    (('a dog', 'a car'), ('a dog', 'a car'))
    """
    text, lines = single_spaced(text), re.split(r"[\r\n]+", choices.strip())
    if not text or len(text) > LONGEST_QUESTION:
        most, count = LONGEST_QUESTION, len(text)
        message = _("A question has 1 to {most} characters, not {count}.", most=most, count=count)
        raise TextError(message, _("Write one."))
    parts = lines if len(lines) > 1 else COMMA.split(choices)
    names = tuple(dict.fromkeys(single_spaced(part) for part in parts if part.strip()))
    if not names:
        return Question("free", text)
    if not LEAST <= len(names) <= MOST:
        fields = {"least": LEAST, "most": MOST, "count": len(names)}
        hint = _("Write none, or {least} to {most}, one a line or with commas between them.", **fields)
        raise TextError(_("A question has {least} to {most} choices, not {count}.", **fields), hint)
    return Question("choice", text, choices=names)


def question_of_line(line: str) -> Question:
    """The question of a line in which the choices follow the last question mark. Raises TextError.

    >>> question_of_line("Est-ce « Qui\\u00a0?\\u00a0» ou « Quoi\\u00a0?\\u00a0» oui, non").choices
    ('oui', 'non')
    """
    match = LAST_QUESTION_MARK.fullmatch(single_spaced(line))
    return own_question(*match.groups()) if match else own_question(line)


def single_spaced(text: str) -> str:
    """A text in one line, with one space where there were more; those that end no line stay."""
    return BREAKING_SPACES.sub(" ", text).strip()
