"""Write the sentences of our grammar with their trees: `python -m training.grammar`.

Run it after a change of the grammar or its lexicon; a test compares them with the file.
"""

import argparse

from explorer import assets
from explorer.analysis.heads import relations
from training.grammar import sentences

COUNT, SEED = 300, 0
HEADER = f"""\
{COUNT} sentences built from a grammar of ours together with their trees, so that no relation was judged.

Made by python -m training.grammar from training/grammar and lexicon.txt; not to be
edited by hand. The form is that of written.txt: the sentence, and its words as word/relation/head."""


def content() -> str:
    """Content of assets/relations/grammar.txt."""
    return relations.write(sentences.sentences(COUNT, SEED), HEADER)


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m training.grammar", description=__doc__).parse_args()
    (assets.RELATIONS / "grammar.txt").write_text(content(), encoding="utf-8")
