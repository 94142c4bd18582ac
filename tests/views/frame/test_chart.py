"""In presenter mode all that a chart measures in pixels grows with the page."""

import plotly.graph_objects as go

from explorer.views.frame.chart import enlarged
from explorer.views.look.theme import LIGHT
from explorer.views.widgets.chart_look import axes, look, title


def figure() -> go.Figure:
    chart = go.Figure()
    chart.add_scatter(x=[0, 1], y=[8, 4], mode="lines+markers", marker={"size": [6, 12]}, line={"width": 3})
    chart.add_scatter(x=[0, 1], y=[1, 2], mode="lines", customdata=[16, 16])
    look(chart, LIGHT, 400, margin={"l": 50, "r": 10, "t": 20, "b": 30})
    axes(chart, LIGHT)
    title(chart, "Loss", LIGHT)
    chart.add_annotation(text="small", font={"size": 10})
    return chart


def test_letters_lines_marks_and_margins_grow_and_numbers_stay():
    before, after = figure(), enlarged(figure(), 2)
    assert after.layout.font.size == 32 and after.layout.hoverlabel.font.size == 32
    assert after.layout.margin.l == 100 and after.layout.margin.b == 60
    assert [one.yshift for one in after.layout.annotations] == [12, None]
    assert after.layout.annotations[1].font.size == 20
    assert after.layout.xaxis.ticklen == 12 and after.layout.xaxis.linewidth == 2
    assert after.data[0].line.width == 6 and list(after.data[0].marker.size) == [12, 24]
    assert after.data[1].line.width == 4, "Plotly's own 2 px grow too"
    for old, new in zip(before.data, after.data):
        assert list(old.x) == list(new.x) and list(old.y) == list(new.y)
    assert list(after.data[1].customdata) == [16, 16]
    assert after.layout.height == before.layout.height, "its box grows with the page"


def test_the_figure_itself_stays_as_it_was():
    chart = figure()
    enlarged(chart, 2)
    assert chart == figure()
