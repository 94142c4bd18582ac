"""A request for a part of a page that is no longer there is dropped.

A component that asks for more, or a count that looks again every second, may do so a moment after a press has
begun a change of page. Streamlit looks for the fragment when the request arrives, while the old page's are
still there, and runs it once the new page has been drawn: under the old page's name, at which the browser
clears the screen and stays empty (`ScriptRunner._run_script` of Streamlit 1.67, where a missing fragment is
skipped only after SCRIPT_STARTED has been sent).
"""

from functools import wraps
from typing import Any

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner


def drop() -> None:
    """From now on drop requests all of whose fragments have gone by the time that they would be run."""
    run_script = ScriptRunner._run_script
    if hasattr(run_script, "__wrapped__"):
        return

    @wraps(run_script)
    def run_what_is_there(self: Any, rerun_data: Any) -> None:
        late = rerun_data.fragment_id_queue
        if not late or any(map(self._fragment_storage.contains, late)):
            run_script(self, rerun_data)

    setattr(ScriptRunner, run_script.__name__, run_what_is_there)
