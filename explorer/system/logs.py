"""What a log may say: where an error came from, but not its message, which may quote a visitor's text."""

import logging
import threading
import traceback
from typing import Any

MOST = 500  # characters of a message
DEEPEST = 40  # places of an error, the last ones


class BoundedRecord(logging.LogRecord):
    """A record of at most MOST characters, whose error is told by its type and its places."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        if self.exc_info and self.exc_info[1]:
            self.exc_text, self.exc_info = places(self.exc_info[1]), None

    def getMessage(self) -> str:  # the library's name
        """The message, without what is beyond MOST characters."""
        message = super().getMessage()
        return message if len(message) <= MOST else f"{message[:MOST]}… ({len(message):,} characters)"


def keep_texts_out() -> None:
    """From now on every log of this process says no more than `BoundedRecord`, also of errors in threads."""
    logging.setLogRecordFactory(BoundedRecord)
    threading.excepthook = _log_thread


def places(error: BaseException) -> str:
    """An error and those that led to it: the type of each, and the places that it went through."""
    lines: list[str] = []
    cause: BaseException | None = error
    while cause is not None:
        lines.append(f"Traceback of {type(cause).__name__} (its message may quote a text, and is left out):")
        lines += [
            f"  {frame.filename}:{frame.lineno} in {frame.name}"
            for frame in traceback.extract_tb(cause.__traceback__)[-DEEPEST:]
        ]
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\n".join(lines)


def _log_thread(arguments: threading.ExceptHookArgs) -> None:
    name = arguments.thread.name if arguments.thread else "unknown"
    if arguments.exc_value is not None and arguments.exc_type is not SystemExit:
        logging.getLogger(__name__).error("A thread broke off: %s", name, exc_info=arguments.exc_value)
