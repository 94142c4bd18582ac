"""The runs of several ways of fine-tuning as dots over one line of accuracy, for a stage."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from statistics import mean

STEP = 10  # per cent between two marks of the line
CSS = """
.rb-runs { display: grid; grid-template-columns: max-content 1fr; column-gap: 32px; align-items: end;
  font-size: 20px; }
.rb-runs > b { font-weight: 400; padding-bottom: 4px; }
.rb-runs > div { position: relative; height: 66px; margin-right: 24px;
  border-bottom: 1px solid var(--rb-hairline); }
.rb-runs i { position: absolute; width: 14px; height: 14px; margin-left: -7px; border-radius: 50%;
  background: var(--rb-accent); }
.rb-runs u { position: absolute; bottom: 0; width: 3px; height: 62px; margin-left: -1.5px;
  background: var(--rb-quiet); }
.rb-runs > .rb-axis { height: 32px; border: 0; }
.rb-runs em { position: absolute; top: 4px; transform: translateX(-50%); font-style: normal;
  color: var(--rb-quiet); }
"""


def dots_html(ways: Sequence[tuple[str, Sequence[float]]]) -> str:
    """A line for each way, by its name and the accuracy of its runs: a dot a run, a stroke at their mean."""
    least = int(100 * min(min(values) for _, values in ways)) // STEP * STEP - STEP // 2

    def left(share: float) -> str:
        return f"left: {100 * (100 * share - least) / (100 - least):.1f}%"

    parts = []
    for name, values in ways:
        equal: Counter[float] = Counter()
        dots = f'<u style="{left(mean(values))}"></u>'
        for value in values:
            dots += f'<i style="{left(value)}; bottom: {1 + 15 * equal[value]}px"></i>'
            equal[value] += 1
        parts.append(f"<b>{escape(name)}</b><div>{dots}</div>")
    marks = (f'<em style="{left(at / 100)}">{at}%</em>' for at in range(least + STEP // 2, 101, STEP))
    axis = f'<b class="rb-quiet">of the test messages right</b><div class="rb-axis">{"".join(marks)}</div>'
    return f'<style>{CSS}</style><div class="rb-runs">{"".join(parts)}{axis}</div>'
