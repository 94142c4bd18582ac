"""What holds for every parsed sentence."""

from explorer.analysis.heads.relations import RELATIONS, Parse, join


def assert_tree(parse: Parse) -> None:
    """The words join to the text, and each leads to the one root by relations that are known."""
    assert join(parse.words) == parse.text
    assert len(parse.words) == len(parse.relations) == len(parse.heads)
    assert set(parse.relations) <= set(RELATIONS), parse.text
    assert [r == "root" for r in parse.relations] == [head == -1 for head in parse.heads], parse.text
    assert parse.heads.count(-1) == 1, parse.text
    for word in range(len(parse)):
        for _ in range(len(parse)):
            word = parse.heads[word] if word >= 0 else word
        assert word == -1, f"a word of “{parse.text}” depends on itself"
