"""What a view is written with, under one name: `from explorer.views import kit`, as `st` is Streamlit's.

It gathers names of `server`, `frame`, `widgets`, `look` and `settings`, and brings in nothing heavy.
"""

from explorer.server import memory
from explorer.server.kept import Kept, kept
from explorer.server.session import Session
from explorer.views.frame import navigation, picker, presenter
from explorer.views.frame.chart import chart
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.example import Example, Load
from explorer.views.frame.lecture.stage import Stage, on_stage
from explorer.views.frame.page import Header, palette, show_error
from explorer.views.frame.polls.poll import Later, Poll, Question, text_end
from explorer.views.frame.presenter import for_class, presenting
from explorer.views.frame.saving import data_table
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Page, Saves, View, able_model, choose, model_with
from explorer.views.frame.view_text import Reading, view_text
from explorer.views.look import blocklist, theme
from explorer.views.look.blocklist import Blocklist
from explorer.views.look.theme import SENSE_SHAPES, Palette
from explorer.views.settings.setting import LIVE_TOKENS, LONGEST_OF_ALL, MOST_WORD, Setting
from explorer.views.settings.settings import Settings
from explorer.views.widgets.bars import bars
from explorer.views.widgets.chart_look import REACH_PX, axes, below, blank, look, say, title
from explorer.views.widgets.controls import (
    menu,
    numbered,
    roomy,
    seed_box,
    segments,
    slider,
    stepped_slider,
    switch,
)
from explorer.views.widgets.html_table import html_table
from explorer.views.widgets.layer_names import head_name, read_head
from explorer.views.widgets.marks import mark, parts
from explorer.views.widgets.notes import heading, instruction, note, note_html, spoken
from explorer.views.widgets.numbers import in_words, reads_decimals, short, whole_percent
from explorer.views.widgets.progress_bar import progress_bar
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.registry import component, component_value
from explorer.views.widgets.text_box import GAP, MASK, text_box
from explorer.views.widgets.token_strip import token_strip
from explorer.views.widgets.token_text import label, token_labels, visible
from explorer.views.widgets.unread_characters import unread, unseen_end
