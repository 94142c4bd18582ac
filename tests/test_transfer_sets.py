"""The sentences of the test from English to Chinese: balanced, sharing only what is marked."""

import re
from collections import Counter
from itertools import combinations
from statistics import mean

import pytest
import torch

import explorer
from explorer.analysis.prediction.masking import MASK
from explorer.analysis.senses import chinese_words, find, library
from explorer.analysis.two_languages.vectors import means
from explorer.assets import TRANSFER
from explorer.errors import TextError
from explorer.finetuning import transfer
from measuring.stored import transfer_accuracies
from tests.chinese_script import SIMPLIFIED, TRADITIONAL, script
from tests.sentence_lists import CLASSROOM_ZH, read_halves

pytestmark = pytest.mark.weights

TOPICS = ("food", "travel", "school", "health")
A_TOPIC = {"zh": 60, "en": 50}
LABELS = ("positive", "negative")
MARKED = {"zh": 5, "en": 10}  # of each topic, with digits or Latin words that both languages have
SHARED = 8  # characters in a row that no two Chinese sentences have in common
HAN = re.compile("[\u4e00-\u9fff]")
LATIN = re.compile(r"\d+|[A-Za-z][A-Za-z0-9]*")


def rows(language: str, task: str = "topics") -> list[tuple[str, str, bool]]:
    head, *lines = (TRANSFER / f"{task}-{language}.tsv").read_text(encoding="utf-8").splitlines()
    assert head.split("\t") == ["text", "label", "shared"]
    split = [line.split("\t") for line in lines]
    assert {shared for _, _, shared in split} <= {"yes", "no"}
    return [(text, label, shared == "yes") for text, label, shared in split]


CHINESE, ENGLISH = rows("zh"), rows("en")


@pytest.mark.parametrize("language", A_TOPIC)
def test_topics_are_balanced(language):
    found = rows(language)
    assert Counter(label for _, label, _ in found) == dict.fromkeys(TOPICS, A_TOPIC[language])
    marked = Counter(label for _, label, shared in found if shared)
    assert marked == dict.fromkeys(TOPICS, MARKED[language])
    assert len({text for text, _, _ in found}) == len(found)


def test_only_marked_sentences_have_what_both_languages_write():
    for text, _, shared in CHINESE:
        assert bool(LATIN.search(text)) == shared, text
    both = {token for text, _, _ in CHINESE for token in LATIN.findall(text)}
    for text, _, shared in ENGLISH:
        assert bool(re.search(r"\d", text) or both & set(LATIN.findall(text))) == shared, text
    assert not any(HAN.search(text) for text, _, _ in ENGLISH)


def test_every_topic_is_half_in_each_script():
    for topic in TOPICS:
        texts = [text for text, label, _ in CHINESE if label == topic]
        scripts = Counter(script(LATIN.sub("", text)) for text in texts)
        assert scripts == {TRADITIONAL: 30, SIMPLIFIED: 30}, [t for t in texts if not script(t)]


def test_no_two_chinese_sentences_are_nearly_the_same():
    holders: dict[str, set[str]] = {}
    for text, _, _ in CHINESE:
        for i in range(len(text) - SHARED + 1):
            holders.setdefault(text[i : i + SHARED], set()).add(text)
    assert [held for held in holders.values() if len(held) > 1] == []


def test_no_sentence_stands_in_another_chinese_list():
    every = [*chinese_words.words(), *chinese_words.words(rare=True)]
    lists = [
        {text for text, _, _ in CHINESE},
        {sentence.text for one in every for sentence in chinese_words.sentences(one)},
        {
            line.text.replace(MASK, character)
            for half in read_halves(CLASSROOM_ZH).values()
            for line in half
            for character in line.accepted
        },
    ]
    assert [one & other for one, other in combinations(lists, 2)] == [set()] * 3


@pytest.mark.parametrize("language", A_TOPIC)
def test_length_tells_no_topic(language):
    found = rows(language)
    lengths = {
        topic: mean(
            len(text if language == "zh" else text.split()) for text, label, _ in found if label == topic
        )
        for topic in TOPICS
    }
    overall = mean(lengths.values())
    assert all(abs(length - overall) < overall / 10 for length in lengths.values()), lengths


@pytest.mark.parametrize("language", ["zh", "en"])
def test_feelings_come_in_pairs_of_both_labels(language):
    found = rows(language, "feelings")
    assert [label for _, label, _ in found] == ["positive", "negative"] * 100
    assert len({text for text, _, _ in found}) == 200
    assert not any(shared for _, _, shared in found)
    units = [set(text) if language == "zh" else set(text.lower().split()) for text, _, _ in found]
    alike = [len(one & other) for one, other in zip(units[::2], units[1::2], strict=True)]
    assert min(alike) >= (1 if language == "en" else 3), found[2 * alike.index(min(alike))]
    lengths = [mean(len(text) for text, label, _ in found if label == one) for one in LABELS]
    assert abs(lengths[0] - lengths[1]) < sum(lengths) / 20, lengths


def test_feelings_are_half_in_each_script_and_share_nothing():
    found = rows("zh", "feelings")
    for one in LABELS:
        scripts = Counter(script(text) for text, label, _ in found if label == one)
        assert scripts == {TRADITIONAL: 50, SIMPLIFIED: 50}, one
    assert not any(LATIN.search(text) for text, _, _ in found)
    assert not {text for text, _, _ in found} & {text for text, _, _ in CHINESE}


@pytest.mark.parametrize("task", transfer.TASKS)
def test_the_lists_are_read_as_they_stand(task):
    read = transfer.read(task)
    for language, examples in (("en", read.english), ("zh", read.chinese)):
        assert [(one.text, one.label) for one in examples] == [row[:2] for row in rows(language, task)]
    assert list(read.shared) == [shared for _, _, shared in rows("zh", task)]
    assert sorted(read.labels) == sorted({one.label for one in read.chinese})
    assert list(read.shared) == [bool(transfer.shared_tokens(one.text)) for one in read.chinese]
    assert not any(
        re.search(r"[，。！？、：「」“”]", transfer.without_punctuation(e.text)) for e in read.chinese
    )


def test_feelings_are_alike_in_pairs_and_topics_are_not():
    assert transfer.read("feelings").groups == tuple(i // 2 for i in range(200))
    assert transfer.read("topics").groups == tuple(range(200))


def test_a_bank_is_two_words_in_chinese():
    word = transfer.read("bank")
    assert Counter(one.label for one in word.english) == {"money": 18, "river": 20}
    assert word.labels == ["money", "river"] and not any(word.shared)
    for language, side in zip(word.words, (word.english, word.chinese), strict=True):
        assert all(len(find(one.text, language)) == 1 for one in side)
    by_label = {label: [one.text for one in word.chinese if one.label == label] for label in word.labels}
    for label, texts in by_label.items():
        assert Counter(map(script, texts)) == {TRADITIONAL: 6, SIMPLIFIED: 6}, texts
        assert all(("河岸" in text) == (label == "river") for text in texts)
        assert len(set(texts)) == 12
    marks = [one.mark for one in library("bank") if one.sense in word.labels]
    for i, mark in enumerate(marks):
        assert (word.groups.count(word.groups[i]) == marks.count(mark)) or mark is None
        assert mark is not None or word.groups.count(word.groups[i]) == 1


def test_pairs_are_forty_in_both_scripts():
    pairs = transfer.pairs()
    english, chinese = zip(*pairs, strict=True)
    assert len(set(english)) == len(set(chinese)) == 40
    assert Counter(map(script, chinese)) == {TRADITIONAL: 20, SIMPLIFIED: 20}
    assert not any(LATIN.search(text) for text in chinese) and not any(map(HAN.search, english))
    others = {text for text, _, _ in [*CHINESE, *rows("zh", "feelings")]}
    assert not others & set(chinese)


def test_what_both_languages_write_tells_little():
    topics, feelings = map(transfer.read, transfer.TASKS)
    assert transfer.shared_tokens_accuracy(feelings) == 0.5, "nothing is shared"
    # All 20 with a digit or a Latin word right, and one class in four of the others.
    assert 0.25 <= transfer.shared_tokens_accuracy(topics) <= (20 + 220 / 4) / 240


def test_vectors_are_of_the_text_or_of_its_word(tiny_bilingual):
    texts = ["We sat on the bank.", "The bank, by the water!"]
    whole = transfer.vectors(tiny_bilingual, texts)
    assert torch.equal(whole, means(tiny_bilingual, ["We sat on the bank", "The bank by the water"]))
    states = tiny_bilingual.trace("We sat on the bank").hidden_states
    (at,) = [i for i, token in enumerate(tiny_bilingual.encode(texts[0]).tokens) if token == "bank"]
    word = transfer.vectors(tiny_bilingual, texts, "bank")
    torch.testing.assert_close(word[0], states[:, at], atol=1e-5, rtol=1e-5)
    with pytest.raises(TextError, match="once"):
        transfer.vectors(tiny_bilingual, ["A bank by a bank.", "No such word."], "bank")


def test_another_task_is_refused():
    with pytest.raises(TextError, match="colours"):
        transfer.read("colours")


@pytest.mark.parametrize("name", [name for name in transfer.ALONE if name in map(str, explorer.available())])
def test_what_is_stored_of_models_of_one_language_is_what_they_give(name):
    found = transfer_accuracies(explorer.load(name), transfer.WORD)
    for without_means, how in ((False, "as they are"), (True, "centred")):
        stored = transfer.monolingual_accuracy(transfer.WORD, without_means)[name]
        assert found[how] == pytest.approx(stored, abs=1.5 / 24), "one sentence may round the other way"
