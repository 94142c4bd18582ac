"""No name and no phrase that `tests/words.py` lists comes back into the code."""

import pytest

from tests.words import ROOT, findings, python_files, reason_against

# The tests follow: their names and prose are not read yet.
READ = ["explorer", "training", "app.py", "pages"]


@pytest.mark.parametrize("place", READ)
def test_names_and_prose_are_plain(place):
    violations = [str(finding) for path in python_files(ROOT / place) for finding in findings(path)]
    assert not violations, "\n".join(["Rename or rewrite, see tests/words.py:", *violations])


def test_a_name_that_is_out_is_noticed(tmp_path):
    path = tmp_path / "odd.py"
    path.write_text(
        'def soften(asked):\n    """The mean, zeros aside."""\n    found = asked\n    return found\n'
    )
    reasons = [finding.text for finding in findings(path)]
    assert reasons == ["soften", "asked", "found", "aside"]
    assert not reason_against("softmax") and not reason_against("matches")
