"""One word in many sentences: where it occurs, with which vector, and in which sense."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import regex
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer import assets
from explorer.assets import SENSES
from explorer.errors import TextError
from explorer.files.labelled_lines import FASTTEXT, fasttext_line
from explorer.files.lines import filled_lines
from explorer.locale import _
from explorer.models.base import Model, Text
from explorer.short_text import WithShortText
from explorer.text.folding import fold
from explorer.text.letters import LETTERS, LETTERS_AND_DIGITS
from explorer.text.search import search_for
from explorer.tokenizers.languages import is_ideograph
from explorer.tokenizers.texts import join_words
from explorer.trace import Ability, Capture, Encoding, captured

CHUNK = 512  # sentences read together, so that batches hold sentences of similar length
_TAG = regex.compile(rf"#({LETTERS}(?:{LETTERS_AND_DIGITS}|[_\-'’׳״\"])*+)(?:\s++~(\d++))?")


@dataclass(frozen=True)
class Sentence:
    """A sentence and, if known, the sense of the word in it.

    Sentences with the same `mark` share most of their words but differ in sense.
    """

    text: str
    sense: str | None = None
    mark: str | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Occurrences(WithShortText):
    """Every occurrence of a word, one vector per layer (0 is the embedding).

    `sentence_index` gives the sentence of each, `span` the characters in it, and `tokens` the tokens; a word
    of several tokens has their mean. `missing` lists the sentences without the word.
    For their picture, `texts` are the sentences of the occurrences, and `senses` those that were given.
    """

    word: str
    vectors: Float[Tensor, "occurrence depth d_model"]
    sentence_index: list[int]
    span: list[tuple[int, int]]
    tokens: list[list[str]]
    missing: list[int]
    texts: list[str] = field(default_factory=list, repr=False)
    senses: list[str | None] = field(default_factory=list, repr=False)

    def __len__(self) -> int:
        return len(self.span)


def read_sentences(text: str) -> list[Sentence]:
    """The sentences of a text, one a line; ` #river` at the end of a line names the sense.

    >>> read_sentences("We sat on the bank. #river ~1")
    [Sentence(text='We sat on the bank.', sense='river', mark='1')]

    A sense begins with a letter, so that a sentence may end in #1; ` ~1` marks a group only after a sense.
    fastText's form names it in front: `__label__river We sat on the bank.`
    Empty lines are skipped.
    """
    sentences = []
    for line in filled_lines(text):
        before, _, _ = line.rpartition("#")
        tag = _TAG.fullmatch(line, len(before)) if before[-1:].isspace() else None
        labels = () if FASTTEXT not in line else fasttext_line(line)
        if labels and labels[0] and len(labels[1]) == 1:
            sentences.append(Sentence(labels[0], labels[1][0]))
            continue
        sentences.append(Sentence(before.rstrip(), *tag.groups()) if tag else Sentence(line))
    return sentences


def write_sentences(sentences: Iterable[Sentence]) -> str:
    """The inverse of `read_sentences`.

    >>> sentences = [Sentence("A river bank.", "side"), Sentence("A bank clerk.", "money")]
    >>> read_sentences(write_sentences(sentences)) == sentences
    True
    """
    return "\n".join(
        s.text + (f" #{s.sense}" if s.sense else "") + (f" ~{s.mark}" if s.sense and s.mark else "")
        for s in sentences
    )


def library(word: str) -> list[Sentence]:
    """Our own sentences for an ambiguous word. Raises TextError if there are none.

    >>> sentences = library("bank")
    >>> len(sentences) > 10, sorted({sentence.sense for sentence in sentences})
    (True, ['blood', 'money', 'river'])
    """
    if word not in library_words():
        raise TextError(f"There are no sentences for “{word}”.", f"There are: {', '.join(library_words())}.")
    return read_sentences(assets.text(SENSES / f"{word}.txt"))


def library_words() -> list[str]:
    """The words that `library` has sentences for."""
    return sorted(path.stem for path in SENSES.glob("*.txt"))


def find(text: str, word: str) -> list[tuple[int, int]]:
    """The character spans of a word in a text: whole words only, in any equivalent spelling.

    `explorer.text.search` defines whole words in each script, and `explorer.text.folding` equivalent
    spellings. 銀行/银行 finds both forms of a Chinese word.

    >>> find("Banks: a bank, the BANK.", "bank"), find("我在银行门口", "銀行/银行")
    ([(9, 13), (19, 23)], [(2, 4)])
    """
    return search_for(*spellings(word.strip())).spans(text)


def spellings(word: str) -> list[str]:
    """The forms of a Chinese word, given with slashes between them; any other word unchanged.

    >>> spellings("蘋果/苹果"), spellings("TCP/IP")
    (['蘋果', '苹果'], ['TCP/IP'])
    """
    forms = word.split("/")
    return forms if all(form and all(map(is_ideograph, form)) for form in forms) else [word]


def occurrences(model: Model, sentences: Iterable[Text | Sentence], word: str) -> Occurrences:
    """Every occurrence of a word in some sentences, with its hidden state at every layer.

    A `Sentence` brings its sense. For a model of whole words a sentence may be a list of words: they are
    compared ignoring case, and spans are those in the words joined by spaces. Sentences without the word are
    not run, and of the others only the word's own vectors are kept. A model with static vectors gives the
    same vector every time. Raises AbilityError for a model without hidden states, TextError for an empty
    word, for one without a vector, and for a list of words if the model does not read lists.

    >>> sentences = ["The bank of the river.", "No such word.", "A bank by a bank."]
    >>> result = occurrences(explorer.load("bert"), sentences, "bank")
    >>> result.sentence_index, result.missing, result.vectors.shape
    ([0, 2, 2], [1], torch.Size([3, 7, 384]))
    """
    model.require(Ability.CONTEXT | Ability.VECTORS, "give a word its vectors")
    if not word.strip():
        raise TextError(_("There is no word to look for."), _("Type one that occurs in the sentences."))
    if model.tokenizer.id(word.strip()) is None:
        model.encode(word)  # raises TextError if a model of whole words does not know it
    missing: list[int] = []
    vectors, index, spans, tokens = [], [], [], []
    texts: list[str] = []
    senses: list[str | None] = []
    matches = _sentences_with(model, sentences, word, missing)
    while chunk := list(islice(matches, CHUNK)):
        read = []
        for i, sentence, word_spans in chunk:
            encoding = model.encode(_plain(sentence))
            within = [(span, at) for span in word_spans if (at := token_positions(encoding, span))]
            if within:  # the others lie past the end of the context
                read.append((i, sentence, encoding, within))
            else:
                missing.append(i)
        places = [[p for span, positions in one[3] for p in positions] for one in read]
        states = model.states_at([one[2] for one in read], places)
        for (i, sentence, encoding, within), state in zip(read, states, strict=True):
            pieces = state.split([len(positions) for span, positions in within], dim=1)
            for (span, positions), piece in zip(within, pieces, strict=True):
                vectors.append(piece.mean(1))
                index.append(i)
                texts.append(_as_text(_plain(sentence)))
                senses.append(sentence.sense if isinstance(sentence, Sentence) else None)
                spans.append(span)
                tokens.append([encoding.tokens[p] for p in positions])
    stacked = (
        torch.stack(vectors) if vectors else torch.empty(0, model.config.layers + 1, model.config.d_model)
    )
    return Occurrences(word, stacked, index, spans, tokens, sorted(missing), texts, senses)


def isolated_vectors(
    model: Model, sentences: Sequence[Text], occurrences: Occurrences
) -> Float[Tensor, "occurrence d_model"]:
    """The embedding of each occurrence's word in isolation, before any sentence is read.

    The same spelling has the same vector, in any sentence and at any position.

    >>> sentences, bert = ["A bank.", "The bank of the river."], explorer.load("bert")
    >>> first, second = isolated_vectors(bert, sentences, occurrences(bert, sentences, "bank"))
    >>> torch.equal(first, second)
    True
    """
    if not len(occurrences):
        return torch.empty(0, model.config.d_model)
    listed = [not isinstance(sentences[i], str) for i in occurrences.sentence_index]
    keys = list(zip(surface_forms(sentences, occurrences), listed, strict=True))
    vectors = {key: isolated_vector(model, *key) for key in set(keys)}
    return torch.stack([vectors[key] for key in keys])


def surface_forms(sentences: Sequence[Text], occurrences: Occurrences) -> list[str]:
    """Each occurrence as it is written, with the space before it.

    GPT's tokens include that space: " bank" and "bank" are different tokens.

    >>> sentences, gpt = ["Banks and a bank.", "bank"], explorer.load("gpt")
    >>> surface_forms(sentences, occurrences(gpt, sentences, "bank"))
    [' bank', 'bank']
    """
    texts = {i: _as_text(sentences[i]) for i in set(occurrences.sentence_index)}
    return [
        " " * texts[i][max(start - 1, 0) : start].isspace() + texts[i][start:end]
        for i, (start, end) in zip(occurrences.sentence_index, occurrences.span, strict=True)
    ]


def isolated_vector(model: Model, spelling: str, separated: bool = False) -> Float[Tensor, "d_model"]:
    """The embedding of a word without a sentence; if `separated`, it is not split into words."""
    if separated:
        spelling = spelling.strip()
    trace = model.trace([spelling] if separated else spelling, capture=Capture.HIDDEN)
    return captured(trace.hidden_states)[0, token_positions(trace.encoding, (0, len(spelling)))].mean(0)


def token_positions(encoding: Encoding, span: tuple[int, int]) -> list[int]:
    """The positions of the tokens with characters of a span of the (first) text.

    >>> token_positions(explorer.load("bert").encode("By the riverbank."), (7, 16))
    [3, 4]
    """
    start, end = span
    positions = []
    for position, (a, b) in enumerate(encoding.spans):
        if a >= end or b <= start or encoding.special[position] or encoding.side(position):
            continue
        surface = encoding.surface(position)
        a += len(surface) - len(surface.lstrip())  # a byte piece includes the space before its word
        if a < end:
            positions.append(position)
    return positions


def senses_of(occurrences: Occurrences, sentences: Sequence[Sentence]) -> list[str | None]:
    """The sense of each occurrence: that of its sentence."""
    return [sentences[i].sense for i in occurrences.sentence_index]


def cosine_matrix(occurrences: Occurrences, layer: int) -> Float[Tensor, "occurrence occurrence"]:
    """The cosine between every two occurrences at a layer.

    >>> sentences = ["A bank for money.", "The bank of a river.", "A bank with money."]
    >>> cosines = cosine_matrix(occurrences(explorer.load("bert"), sentences, "bank"), layer=-1)
    >>> bool(cosines[0, 2] > cosines[0, 1])  # two of them mean the same
    True
    """
    unit = F.normalize(occurrences.vectors[:, layer], dim=-1)
    return unit @ unit.T


def _sentences_with(
    model: Model, sentences: Iterable[Text | Sentence], word: str, missing: list[int]
) -> Iterator[tuple[int, Text | Sentence, list[tuple[int, int]]]]:
    """The sentences with the word, and its spans; the numbers of the others go to `missing`."""
    for i, sentence in enumerate(sentences):
        text = _plain(sentence)
        if isinstance(text, str):
            spans = find(text, word)
        else:
            model.encode(text)  # raises TextError if the model does not read lists of words
            _, word_spans = join_words(text)
            forms = set(map(fold, spellings(word.strip())))
            spans = [span for span, token in zip(word_spans, text) if fold(token) in forms]
        if spans:
            yield i, sentence, spans
        else:
            missing.append(i)


def _plain(sentence: Text | Sentence) -> Text:
    return sentence.text if isinstance(sentence, Sentence) else sentence


def _as_text(sentence: Text) -> str:
    return sentence if isinstance(sentence, str) else join_words(sentence)[0]
