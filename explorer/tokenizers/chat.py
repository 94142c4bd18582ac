"""A conversation as the maker of a chat model writes it, by the model's chat template.

    ChatML    <|im_start|>user⏎Hello<|im_end|>⏎<|im_start|>assistant⏎                      Qwen, SmolLM2
    Llama 3   <|start_header_id|>user<|end_header_id|>⏎⏎Hello<|eot_id|><|start_header_id|>assistant …
    [INST]    [INST] Hello [/INST]                                                         Llama 2, Mistral

A template is a program in Jinja. It runs in a process of its own, `chat_sandbox`, for a bounded time.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path

from explorer.errors import FormatError, TextError
from explorer.locale import _

SANDBOX = Path(__file__).with_name("chat_sandbox.py")
PATIENCE_S = 20  # on a busy machine; the sandbox itself has two seconds of computing
SYSTEM, USER = "a text of the system", "a message of the user"  # as no template has them
Messages = Sequence[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class ChatTemplate:
    """A chat template, which writes a conversation as one text.

    `tokens` are the special tokens that it may write, by their roles, such as `bos_token`. `first` is the
    start token that the tokenizer puts before every text: it is left out here.
    """

    source: str
    tokens: Mapping[str, str] = field(default_factory=dict)
    first: str = ""

    def render(self, messages: Messages) -> str:
        """A conversation of (role, message) pairs as one text, with the beginning of the model's answer.

        A role is system, user or assistant. Raises TextError for a conversation that the template
        refuses, FormatError for a template that fails, or does what it must not.
        """
        (result,) = self.results([messages])
        if isinstance(result, Exception):
            raise result
        return result

    def with_system(self, system: str, messages: Messages) -> str:
        """A conversation in which `system` is all that stands in the system's turn, if there is one.

        It replaces what the template writes there by itself. Raises as `render` does.
        """
        own = self.own_system()
        if own and own in (text := self.render(messages)):
            return text.replace(own, system, 1)
        return self.render([("system", system), *messages] if system else messages)

    def own_system(self) -> str:
        """What the template writes into the system's turn by itself today, such as the date."""
        return _own_system(self, date.today())

    def results(self, conversations: Sequence[Messages]) -> list[str | FormatError | TextError]:
        """For each conversation what `render` returns or raises, by one start of the sandbox."""
        request = {
            "template": self.source,
            "variables": dict(self.tokens),
            "conversations": [
                [{"role": role, "content": text} for role, text in messages] for messages in conversations
            ],
        }
        try:
            answer = subprocess.run(
                [sys.executable, "-P", SANDBOX],
                input=json.dumps(request),
                capture_output=True,  # what a program prints as it dies is no message for a reader
                encoding="utf-8",
                timeout=PATIENCE_S,
            )
            answers = json.loads(answer.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            answers = [{"error": "it takes too much time or memory"}] * len(conversations)
        return [self._result(answer) for answer in answers]

    def _result(self, answer: dict[str, str]) -> str | FormatError | TextError:
        if "text" in answer:
            return answer["text"].removeprefix(self.first)
        if "refused" in answer:
            return TextError(
                _(
                    "The model’s chat template refuses this conversation: “{reason}”.",
                    reason=f"{answer['refused']:.300}",
                ),
                _("Leave out what it names, such as the system text."),
            )
        return FormatError(
            _("The model’s chat template fails: {cause}.", cause=answer["error"]),
            _("Switch the marks off, or choose another checkpoint."),
        )


CHATML = ChatTemplate(
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] "
    "+ '<|im_end|>\\n' }}{% endfor %}{{ '<|im_start|>assistant\\n' }}"
)


@lru_cache(maxsize=32)
def _own_system(template: ChatTemplate, day: date) -> str:
    """Seen from two conversations, without and with a message of the system; `day` is today's.

    The marks before the system's turn are taken to be those of the user's, with the other role.
    """
    user = [("user", USER)]
    plain, with_message = template.results([user, [("system", SYSTEM), *user]])
    if not (isinstance(plain, str) and isinstance(with_message, str) and SYSTEM in with_message):
        return ""
    before, _system, rest = with_message.partition(SYSTEM)
    between = rest.partition(USER)[0]
    turn = between.replace("user", "system")
    marks = next((turn[i:] for i in range(len(turn)) if "system" in turn[i:] and turn[i:] in before), "")
    head = before[: before.rindex(marks) + len(marks)] if marks else before
    opening = plain.partition(USER)[0]
    own = opening.removeprefix(head).removesuffix(between)
    return own if own.strip() and opening == head + own + between else ""
