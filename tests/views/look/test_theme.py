"""The palettes against the rules that make them legible."""

from dataclasses import fields

import pytest

from explorer.views.look import theme
from explorer.views.look.theme import DARK, LIGHT, contrast, mix, text_on

BOTH = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=lambda p: p.name)


def test_contrast_of_known_pairs():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@BOTH
def test_text_reaches_four_and_a_half_to_one(palette):
    for ground in (palette.ground, palette.panel):
        for ink in (palette.ink, palette.quiet, palette.accent):
            assert contrast(ink, ground) >= 4.5


@BOTH
def test_marks_reach_three_to_one(palette):
    marks = [palette.query, palette.key, palette.value, palette.accent, *palette.senses]
    marks += [palette.attention[1], palette.probability[1], palette.layers[1]]
    marks += [palette.difference[0], palette.difference[2]]
    for mark in marks:
        assert contrast(mark, palette.ground) >= 3, mark


@BOTH
def test_text_on_a_coloured_token_is_legible_all_along_every_ramp(palette):
    for ramp in (palette.attention, palette.probability, palette.layers):
        for step in range(101):
            colour = mix(ramp, step / 100)
            assert contrast(text_on(colour), colour) >= 4.5


@BOTH
def test_senses_have_a_shape_each_and_hues_of_their_own(palette):
    assert len(palette.senses) == len(theme.SENSE_SHAPES) == len(set(palette.senses))
    assert not set(palette.senses) & {palette.query, palette.key, palette.value}


@BOTH
def test_every_colour_reaches_css(palette):
    css = theme.css_variables(palette)
    for field in fields(palette):
        value = getattr(palette, field.name)
        for colour in value if isinstance(value, tuple) else [value] if field.name != "name" else []:
            assert colour in css


def test_mix_ends_at_its_ends_and_stays_inside():
    assert mix(("#000000", "#FF8040"), 0) == "#000000"
    assert mix(("#000000", "#FF8040"), 1) == mix(("#000000", "#FF8040"), 7) == "#FF8040"
    assert mix(("#000000", "#FF8040"), 0.5) == "#804020"
