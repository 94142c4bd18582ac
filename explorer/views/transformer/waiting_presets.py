"""What the view “In parallel” opens with; its times are measured, so no preset speaks of them."""

from explorer.views.frame.page import Preset

PRESETS = [
    Preset(
        "Eight words",
        "The LSTM has its last state after 9 steps, attention after 6.",
        {"view": "waiting", "wait_step": 6},
    ),
    Preset(
        "Twice as many words",
        "The LSTM needs 17 steps now, attention still 6.",
        {"view": "waiting", "wait_words": 16, "wait_step": 6},
    ),
    Preset(
        "Two words",
        "With a very short text the LSTM is ready first: it has fewer layers.",
        {"view": "waiting", "wait_words": 2, "wait_step": 3},
    ),
]
