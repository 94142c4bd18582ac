"""Runs a chat template, as a program of its own: a request as JSON on its standard input, an answer as JSON.

    {"template": "{{ … }}", "variables": {"bos_token": "<s>"}, "conversations": [[{"role": …}]]}
    [{"text": "…"}, {"refused": "roles must alternate"}, {"error": "…"}]

A template comes with a model, from strangers, and is a program. Here it has the messages and Jinja's own
functions, and neither files nor modules; the system ends it after SECONDS of computing, and gives it BYTES of
memory (on Linux; elsewhere only `chat` ends it, after a while). What a template may use is what
`transformers.utils.chat_template_utils` gives it, and the result is the same.
"""

import argparse
import json
import sys
from contextlib import suppress
from datetime import datetime
from typing import Any

from jinja2 import TemplateError
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

SECONDS = 2
BYTES = 512 * 2**20
LONGEST = 1_000_000  # characters of a conversation


class Refusal(TemplateError):
    """A template's own word that it does not write such a conversation."""


class _Generation(Extension):
    """`{% generation %}` marks for a training what the assistant says: it is written as it is."""

    tags = {"generation"}  # noqa: RUF012 (as Jinja declares it)

    def parse(self, parser: Parser) -> Any:
        """The nodes up to `{% endgeneration %}`."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, which stops at the first forbidden attribute instead of reading it as nothing."""

    def unsafe_undefined(self, obj: Any, attribute: str) -> Any:
        """Raise SecurityError."""
        raise SecurityError(f"{attribute} of {type(obj).__name__} is not for templates")


def refuse(message: str) -> None:
    """Raise Refusal; templates call it `raise_exception`."""
    raise Refusal(message)


def to_json(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
    """JSON whose `<` and `&` are written as they are, unlike Jinja's."""
    return json.dumps(value, ensure_ascii=ensure_ascii, **options)


def render(source: str, messages: list[dict[str, str]], variables: dict[str, str]) -> dict[str, str]:
    """The text of a conversation, with the beginning of an answer; or why there is none."""
    environment = _Sandbox(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols])
    environment.filters["tojson"] = to_json
    environment.globals["raise_exception"] = refuse
    environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    context = {
        **variables,
        "messages": messages,
        "tools": None,
        "documents": None,
        "add_generation_prompt": True,
    }
    try:
        text = environment.from_string(source).render(context)
    except Refusal as error:
        return {"refused": str(error)}
    except MemoryError:
        return {"error": "it asks for too much memory"}
    except Exception as error:  # a template may raise anything
        return {"error": str(error)[:300] or type(error).__name__}
    return {"text": text} if len(text) <= LONGEST else {"error": f"it writes {len(text):,} characters"}


def limit() -> None:
    """Let the system end this program when it takes too much."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = {resource.RLIMIT_CPU: SECONDS, resource.RLIMIT_AS: BYTES, resource.RLIMIT_FSIZE: 0}
    for kind, most in limits.items():
        with suppress(ValueError, OSError):  # macOS has no limit of memory
            resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    request = json.load(sys.stdin)
    limit()
    source, variables = request["template"], request["variables"]
    json.dump([render(source, messages, variables) for messages in request["conversations"]], sys.stdout)
