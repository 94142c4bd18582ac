"""What has started this run of a page."""

from streamlit.runtime.scriptrunner import get_script_run_ctx

CLICKS = ("trigger_value", "string_trigger_value", "json_trigger_value")


def clicked(besides: str = "") -> bool:
    """Whether a click on a button or a component started this run; a browser sends a click once.

    What the component with the key `besides` sends by itself is none.
    """
    context = get_script_run_ctx()
    if context is None:
        return False
    states = context.session_state.get_widget_states()
    own = [state for state in states if not besides or besides not in state.id]
    kinds = ((state, state.WhichOneof("value")) for state in own)
    return any(kind in CLICKS and bool(getattr(state, kind)) for state, kind in kinds if kind is not None)


def is_history_navigation() -> bool:
    """Whether the browser's Back or Forward started this run."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation
