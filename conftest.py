"""Before pytest reads anything of explorer: its shapes and types are checked as its functions are called."""

from tests import shape_checks

shape_checks.install()
