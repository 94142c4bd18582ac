"""One word in many sentences: where it stands, what vector it has there, and which sense that is."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import regex
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer import assets
from explorer.assets import SENSES
from explorer.errors import TextError
from explorer.files.lines import filled_lines
from explorer.models.base import Model, Text
from explorer.text.folding import fold
from explorer.text.letters import LETTERS, LETTERS_AND_DIGITS
from explorer.text.search import search_for
from explorer.tokenizers.languages import is_ideograph
from explorer.tokenizers.texts import join_words
from explorer.trace import Ability, Capture, Encoding, captured

CHUNK = 512  # sentences looked at together, so that a batch holds sentences of like length
_TAG = regex.compile(rf"#({LETTERS}(?:{LETTERS_AND_DIGITS}|[_\-'’׳״\"])*+)(?:\s++~(\d++))?")


@dataclass(frozen=True)
class Sentence:
    """A sentence and, where somebody has said it, the sense that the word has in it.

    Sentences with the same `mark` share most of their words and differ in sense.

    >>> Sentence("We sat on the bank.", sense="river").sense
    'river'
    """

    text: str
    sense: str | None = None
    mark: str | None = None


@dataclass(frozen=True, eq=False)
class Occurrences:
    """Every occurrence of a word, one vector per layer (0 is the embedding).

    `sentence_index` says which sentence each stands in, `span` which characters of it, and
    `tokens` which tokens; a word of several tokens has their mean. `missing` lists sentences
    without the word.

    >>> import explorer
    >>> found = occurrences(explorer.load("bert"), ["A bank by a bank."], "bank")
    >>> len(found), found.span
    (2, [(2, 6), (12, 16)])
    """

    word: str
    vectors: Float[Tensor, "occurrence depth d_model"]
    sentence_index: list[int]
    span: list[tuple[int, int]]
    tokens: list[list[str]]
    missing: list[int]

    def __len__(self) -> int:
        return len(self.span)


def read_sentences(text: str) -> list[Sentence]:
    """Sentences from a text, one a line; ` #river` at the end of a line names the sense.

    >>> read_sentences("We sat on the bank. #river ~1")
    [Sentence(text='We sat on the bank.', sense='river', mark='1')]

    A sense begins with a letter, so that a sentence may end in #1; only after a sense does ` ~1`
    mark a group. Empty lines are passed over.
    """
    sentences = []
    for line in filled_lines(text):
        before, _, _ = line.rpartition("#")
        tagged = _TAG.fullmatch(line, len(before)) if before[-1:].isspace() else None
        sentences.append(Sentence(before.rstrip(), *tagged.groups()) if tagged else Sentence(line))
    return sentences


def write_sentences(sentences: Iterable[Sentence]) -> str:
    """The inverse of `read_sentences`.

    >>> made = [Sentence("A river bank.", "side"), Sentence("A bank clerk.", "money")]
    >>> read_sentences(write_sentences(made)) == made
    True
    """
    return "\n".join(
        s.text + (f" #{s.sense}" if s.sense else "") + (f" ~{s.mark}" if s.sense and s.mark else "")
        for s in sentences
    )


def library(word: str) -> list[Sentence]:
    """Our own sentences for an ambiguous word. Raises TextError for a word without any.

    >>> sentences = library("bank")
    >>> len(sentences) > 10, sorted({sentence.sense for sentence in sentences})
    (True, ['blood', 'money', 'river'])
    """
    if word not in library_words():
        raise TextError(f"There are no sentences for “{word}”.", f"There are: {', '.join(library_words())}.")
    return read_sentences(assets.text(SENSES / f"{word}.txt"))


def library_words() -> list[str]:
    """The words that `library` has sentences for.

    >>> {"bank", "cell"} <= set(library_words())
    True
    """
    return sorted(path.stem for path in SENSES.glob("*.txt"))


def find(text: str, word: str) -> list[tuple[int, int]]:
    """The character spans of a word in a text: whole words only, in every spelling that is the same word.

    `explorer.text.search` says what a whole word is in each script, and `explorer.text.folding` which
    spellings are alike. A Chinese word that is written in two ways is found in both, given as 銀行/银行.

    >>> find("Banks: a bank, the BANK.", "bank"), find("我在银行门口", "銀行/银行")
    ([(9, 13), (19, 23)], [(2, 4)])
    """
    return search_for(*spellings(word.strip())).spans(text)


def spellings(word: str) -> list[str]:
    """A Chinese word's forms where a slash stands between them; any other word as it is.

    >>> spellings("蘋果/苹果"), spellings("TCP/IP")
    (['蘋果', '苹果'], ['TCP/IP'])
    """
    forms = word.split("/")
    return forms if all(form and all(map(is_ideograph, form)) for form in forms) else [word]


def occurrences(model: Model, sentences: Iterable[Text], word: str) -> Occurrences:
    """Every occurrence of a word in some sentences, with its hidden state at every layer.

    A sentence may be a list of words for a model that reads whole words: the word is then sought
    among them as it is, capitals aside, and spans are those of the words with a space between.
    Streams: sentences without the word are not run, and of the others only the word's own
    vectors are kept. A model with one vector a word, whatever the context, gives that one every
    time. Raises AbilityError for a model without hidden states, TextError for an empty word, for
    one that has no vector, and for a list of words where the model reads none.

    >>> import explorer
    >>> said = ["The bank of the river.", "No such word.", "A bank by a bank."]
    >>> found = occurrences(explorer.load("bert"), said, "bank")
    >>> found.sentence_index, found.missing, found.vectors.shape
    ([0, 2, 2], [1], torch.Size([3, 7, 384]))
    """
    model.require(Ability.CONTEXT | Ability.VECTORS, "give a word its vectors")
    if not word.strip():
        raise TextError("There is no word to look for.", "Type one that occurs in the sentences.")
    if model.tokenizer.id(word.strip()) is None:
        model.encode(word)  # a model of whole words says here if it lacks this one
    missing: list[int] = []
    vectors, index, spans, tokens = [], [], [], []
    holding = _holding(model, sentences, word, missing)
    while chunk := list(islice(holding, CHUNK)):
        read = [(i, encoding := model.encode(text), _covered(encoding, found)) for i, text, found in chunk]
        missing += [i for i, _, covered in read if not covered]
        read = [(i, encoding, covered) for i, encoding, covered in read if covered]
        places = [[p for _, positions in covered for p in positions] for _, _, covered in read]
        states = model.states_at([encoding for _, encoding, _ in read], places)
        for (i, encoding, covered), state in zip(read, states, strict=True):
            parts = state.split([len(positions) for _, positions in covered], dim=1)
            for (span, positions), part in zip(covered, parts, strict=True):
                vectors.append(part.mean(1))
                index.append(i)
                spans.append(span)
                tokens.append([encoding.tokens[p] for p in positions])
    stacked = (
        torch.stack(vectors) if vectors else torch.empty(0, model.config.layers + 1, model.config.d_model)
    )
    return Occurrences(word, stacked, index, spans, tokens, sorted(missing))


def alone(model: Model, sentences: Sequence[Text], found: Occurrences) -> Float[Tensor, "occurrence d_model"]:
    """Each occurrence's word before any sentence is read: its embedding where it stands by itself.

    The same word in the same spelling has the same vector, whatever its sentence and its place.

    >>> import explorer
    >>> said, bert = ["A bank.", "The bank of the river."], explorer.load("bert")
    >>> first, second = alone(bert, said, occurrences(bert, said, "bank"))
    >>> torch.equal(first, second)
    True
    """
    if not len(found):
        return torch.empty(0, model.config.d_model)
    separated = [not isinstance(sentences[i], str) for i in found.sentence_index]
    wanted = list(zip(spelt(sentences, found), separated, strict=True))
    vectors = {one: by_itself(model, *one) for one in set(wanted)}
    return torch.stack([vectors[one] for one in wanted])


def spelt(sentences: Sequence[Text], found: Occurrences) -> list[str]:
    """How each occurrence is written, with the space before it.

    GPT's tokens carry that space: " bank" and "bank" are two.

    >>> import explorer
    >>> said, gpt = ["Banks and a bank.", "bank"], explorer.load("gpt")
    >>> spelt(said, occurrences(gpt, said, "bank"))
    [' bank', 'bank']
    """
    texts = {i: _as_text(sentences[i]) for i in set(found.sentence_index)}
    return [
        " " * texts[i][max(start - 1, 0) : start].isspace() + texts[i][start:end]
        for i, (start, end) in zip(found.sentence_index, found.span, strict=True)
    ]


def by_itself(model: Model, spelling: str, separated: bool = False) -> Float[Tensor, "d_model"]:
    """The embedding of a word that no sentence stands around; one that is `separated` is not split.

    >>> import explorer
    >>> by_itself(explorer.load("bert"), "bank").shape
    torch.Size([384])
    """
    if separated:
        spelling = spelling.strip()
    trace = model.trace([spelling] if separated else spelling, capture=Capture.HIDDEN)
    return captured(trace.hidden_states)[0, covering(trace.encoding, (0, len(spelling)))].mean(0)


def covering(encoding: Encoding, span: tuple[int, int]) -> list[int]:
    """The positions of the tokens that hold characters of a span of the (first) text.

    >>> import explorer
    >>> covering(explorer.load("bert").encode("By the riverbank."), (7, 16))
    [3, 4]
    """
    start, end = span
    positions = []
    for position, (a, b) in enumerate(encoding.spans):
        if a >= end or b <= start or encoding.special[position] or encoding.side(position):
            continue
        surface = encoding.surface(position)
        a += len(surface) - len(surface.lstrip())  # a byte piece carries the space before its word
        if a < end:
            positions.append(position)
    return positions


def _covered(encoding: Encoding, spans: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, int], list[int]]]:
    """The spans that the model reads, with their positions; the others lie past the end of its context."""
    return [(span, positions) for span in spans if (positions := covering(encoding, span))]


def senses_of(found: Occurrences, sentences: Sequence[Sentence]) -> list[str | None]:
    """The sense of each occurrence: that of the sentence it stands in.

    >>> import explorer
    >>> said = [Sentence("The river bank.", "side"), Sentence("A bank clerk.", "money")]
    >>> senses_of(occurrences(explorer.load("bert"), [s.text for s in said], "bank"), said)
    ['side', 'money']
    """
    return [sentences[i].sense for i in found.sentence_index]


def cosine_matrix(found: Occurrences, layer: int) -> Float[Tensor, "occurrence occurrence"]:
    """The cosine between every two occurrences at a layer.

    >>> import explorer
    >>> said = ["A bank for money.", "The bank of a river.", "A bank with money."]
    >>> cosines = cosine_matrix(occurrences(explorer.load("bert"), said, "bank"), layer=-1)
    >>> bool(cosines[0, 2] > cosines[0, 1])  # two of them mean the same
    True
    """
    unit = F.normalize(found.vectors[:, layer], dim=-1)
    return unit @ unit.T


def _holding(
    model: Model, sentences: Iterable[Text], word: str, missing: list[int]
) -> Iterator[tuple[int, Text, list[tuple[int, int]]]]:
    """The sentences that hold the word; the numbers of the others go to `missing`."""
    for i, text in enumerate(sentences):
        if isinstance(text, str):
            found = find(text, word)
        else:
            model.encode(text)  # refused here where the model takes no words
            _, spans = join_words(text)
            wanted = set(map(fold, spellings(word.strip())))
            found = [span for span, one in zip(spans, text) if fold(one) in wanted]
        if found:
            yield i, text, found
        else:
            missing.append(i)


def _as_text(sentence: Text) -> str:
    return sentence if isinstance(sentence, str) else join_words(sentence)[0]
