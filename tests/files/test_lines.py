"""What ends a line of somebody's text, and what does not, wherever such a text is read."""

import io
import json

import pytest

from explorer.analysis.senses.occurrences import read_sentences
from explorer.corpus.inspection import inspect
from explorer.corpus.rows import Report, read
from explorer.finetuning.parsing import parse_lines
from explorer.views.vectors.word_table import groups

INSIDE = ["\u2028", "\u2029", "\x85", "\v", "\f"]


@pytest.mark.parametrize("character", INSIDE)
def test_other_separators_stay_in_their_line(character):
    text = f"We sat{character}on the bank. #river\nIt lay there. #river"
    assert len(read_sentences(text)) == 2
    assert len(parse_lines("classes", text.replace(" #", " | ")).examples) == 2
    assert len(groups(f"food: bread{character}cheese\nrain")) == 2
    record = json.dumps({"text": f"We sat{character}on the bank.", "sense": "river"}, ensure_ascii=False)
    for name, content in (("a.txt", text), ("a.jsonl", f'{record}\n{{"text": "It lent money."}}')):
        file = io.BytesIO(content.encode())
        contents, report = inspect(name, file), Report()
        senses = [sentence.sense for sentence in read(contents, file, report)]
        assert len(senses) == 2 and senses[0] == "river"
        assert [note for note in report.notes(contents) if "read as senses" not in note] == []
