"""Every fault of tests/faults.py has its place in the code as it is, and tests of the names it gives."""

import pytest

from tests import faults
from tests.faults import FAULTS, ROOT, place, selection


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_fits_the_code_and_its_tests_are_there(fault):
    assert place(fault).is_file()
    assert selection(fault.tests, ROOT)


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ({"fast": "test_a"}, ("fast", "test_a")),  # the slow ones do not run at all
        ({"fast": None, "slow": "test_b"}, ("slow", "test_b")),
        ({"fast": LookupError(), "slow": "test_b"}, ("slow", "test_b")),
        ({"fast": None, "slow": LookupError()}, None),
        ({"fast": None, "slow": None}, None),
    ],
)
def test_slow_tests_run_where_no_fast_one_fails(monkeypatch, outcomes, expected):
    def failure(root, tests, tier):
        if isinstance(outcomes[tier], LookupError):
            raise outcomes[tier]
        return outcomes[tier]

    monkeypatch.setattr(faults, "failure", failure)
    assert faults.first_failure(ROOT, ["test_a", "test_b"]) == expected


def test_a_fault_without_a_test_to_run_is_no_fault_that_was_missed(monkeypatch):
    def failure(root, tests, tier):
        raise LookupError(tier)

    monkeypatch.setattr(faults, "failure", failure)
    with pytest.raises(LookupError):
        faults.first_failure(ROOT, ["test_a"])
