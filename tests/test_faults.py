"""Every fault of tests/faults.py has its place in the code as it is, and tests of the names it gives."""

import pytest

from tests.faults import FAULTS, ROOT, place, selected


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_fits_the_code_and_its_tests_are_there(fault):
    assert place(fault).is_file()
    assert selected(fault.tests, ROOT)
