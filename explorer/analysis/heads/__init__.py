"""What each head does: scores for every head, names for them, and the heads that fit drawn arcs.

behaviours(trace)               attention to previous, next, first, special ... tokens of one text
measure(model, parses)          the same over a corpus, and accuracies for grammatical relations
stored("bert")                  the measured scores of a bundled checkpoint, from a file
kinds(behaviours, relations)    names for heads, by thresholds
find(pattern, arcs)             which heads attend along the arcs that somebody draws
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
