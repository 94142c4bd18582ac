"""Runs a chat template, as a program of its own: a request as JSON on its standard input, an answer as JSON.

    {"template": "{{ … }}", "variables": {"bos_token": "<s>"}, "conversations": [[{"role": …}]]}
    [{"text": "…"}, {"refused": "roles must alternate"}, {"error": "…"}]

A template comes with a model, from strangers, and is a program. Here it has the messages and Jinja's own
functions, and neither files nor modules; the system ends it after SECONDS of computing, and gives it BYTES of
memory (on Linux; elsewhere only `chat` ends it, after a while). What it has is what
`transformers.utils.chat_template_utils` gives it, and the result is the same.
"""

import json
import sys
from contextlib import suppress
from datetime import datetime
from typing import Any

from jinja2 import Template, TemplateError
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

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


class _Namespace(Namespace):
    """Variables of a template, none of which begins with an underscore."""

    def __setitem__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            raise SecurityError(f"{name} of a namespace is not for templates")
        super().__setitem__(name, value)


def namespace(**values: Any) -> _Namespace:
    """New variables."""
    variables = _Namespace()
    for name, value in values.items():
        variables[name] = value
    return variables


def refuse(message: str) -> None:
    """Raise Refusal; templates call it `raise_exception`."""
    raise Refusal(message)


def to_json(value: Any, indent: int | None = None, **options: Any) -> str:
    """JSON whose `<` and `&` are written as they are, unlike Jinja's."""
    return json.dumps(value, ensure_ascii=options.pop("ensure_ascii", False), indent=indent, **options)


def compile_template(source: str) -> Template:
    """A template, ready to be run. Raises TemplateError."""
    environment = _Sandbox(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols])
    environment.filters["tojson"] = to_json
    environment.globals |= {
        "raise_exception": refuse,
        "strftime_now": lambda form: datetime.now().strftime(form),
        "namespace": namespace,
        "dict": lambda *pairs, **values: dict(*pairs, **values),
    }
    return environment.from_string(source)


def render(template: Template, messages: list[dict[str, str]], variables: dict[str, str]) -> dict[str, str]:
    """The text of a conversation, with the beginning of an answer; or why there is none."""
    given = {
        **variables,
        "messages": messages,
        "tools": None,
        "documents": None,
        "add_generation_prompt": True,
    }
    try:
        text = template.render(given)
        return {"text": text} if len(text) <= LONGEST else {"error": f"it writes {len(text):,} characters"}
    except Refusal as error:
        return {"refused": str(error)}
    except Exception as error:  # a template may raise anything
        return failure(error)


def failure(error: Exception) -> dict[str, str]:
    """What is wrong with a template."""
    if isinstance(error, MemoryError):
        return {"error": "it asks for too much memory"}
    return {"error": str(error)[:300] or type(error).__name__}


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


def main() -> None:
    """Answer the request."""
    request = json.load(sys.stdin)
    limit()
    conversations, variables = request["conversations"], request["variables"]
    try:
        template = compile_template(request["template"])
        answers = [render(template, messages, variables) for messages in conversations]
    except Exception as error:  # as of the parser, for brackets nested too deeply
        answers = [failure(error) for _ in conversations]
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
