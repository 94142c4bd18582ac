"""What does each head do? Scores for every head, names for them, and the heads that draw an arc.

behaviours(trace)               on one text: to previous, next, first, special ... tokens
measure(model, parses)          the same on a corpus, and each grammatical relation
stored("bert")                  what `measure` found for a bundled checkpoint, from a file
kinds(behaviours, relations)    names, by thresholds
find(pattern, arcs)             which heads look from here to there?
"""

from explorer.analysis.heads.behaviours import BEHAVIOURS, behaviours, reference
from explorer.analysis.heads.dependents import ALL, DIRECTIONS, MEASURED, Direction, Offset
from explorer.analysis.heads.finding import Candidate, Found, find
from explorer.analysis.heads.kinds import Kind, kinds
from explorer.analysis.heads.measuring import Scores, measure
from explorer.analysis.heads.storing import Report, report, stored

__all__ = [
    "ALL",
    "BEHAVIOURS",
    "DIRECTIONS",
    "MEASURED",
    "Candidate",
    "Direction",
    "Found",
    "Kind",
    "Offset",
    "Report",
    "Scores",
    "behaviours",
    "find",
    "kinds",
    "measure",
    "reference",
    "report",
    "stored",
]
