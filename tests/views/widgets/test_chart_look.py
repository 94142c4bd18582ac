"""How every chart looks, and that one can be made at any moment."""

import subprocess
import sys

import pytest

# A slow package of pandas' name, which a thread has begun to import when the chart is made.
SLOW = "import time\nBEGUN = True\ntime.sleep(1)\n\nclass Series: ...\n\nclass Index: ...\n"
CHART = """
import sys, threading, time
threading.Thread(target=__import__, args=("pandas",)).start()
while not hasattr(sys.modules.get("pandas"), "BEGUN"):
    time.sleep(0.01)
from explorer.views.widgets.chart_look import blank
blank().add_scatter(x=[1.0], y=[2.0], marker={"line": {"width": 2}})
"""


@pytest.mark.slow
def test_a_chart_waits_for_pandas_where_another_thread_is_importing_it(tmp_path):
    (tmp_path / "pandas.py").write_text(SLOW)
    run = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{CHART}"]
    process = subprocess.run(run, capture_output=True, text=True, timeout=300)
    assert process.returncode == 0, process.stderr


def test_charts_come_from_one_place():
    from explorer.views.widgets.registry import VIEWS

    others = [
        file.name
        for file in VIEWS.rglob("*.py")
        if file.name != "chart_look.py"
        and any(process in file.read_text() for process in ("go.Figure(", "plotly.subplots"))
    ]
    assert others == []
