"""The format of a conversation for a chat model: its chat frame.

    ChatML    <|im_start|>user⏎Hello<|im_end|>⏎<|im_start|>assistant⏎                      Qwen, SmolLM2
    Llama 3   <|start_header_id|>user<|end_header_id|>⏎⏎Hello<|eot_id|><|start_header_id|>assistant …
    [INST]    [INST] Hello [/INST]                                                         Llama 2, Mistral

A checkpoint's template is a program. It is never run: its markers tell which frame it is, and
that frame is written here. The line with today's date that Llama 3.1 adds is left out.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from explorer.errors import FormatError, TextError

MARK = re.compile(r"<\|?\w[\w ]+\|?>|\[/?[A-Z_]+\]")
FIRST, LAST = "<s>", "</s>"  # around a turn of [INST]
STRIPPED = re.compile(r"\|\s*trim|\.strip\(\)")
SYSTEM = re.compile(
    r"""(['"])<\|im_start\|>system(?:\\n|\n)((?:(?!\1).)+?)<\|im_end\|>(?:\\n|\n)?\1""", re.DOTALL
)


class Kind(StrEnum):
    """The frames that can be written.

    >>> Kind("ChatML").name
    'CHATML'
    """

    CHATML = "ChatML"
    LLAMA_3 = "Llama 3"
    INST = "[INST]"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class ChatFrame:
    """A chat frame, as read from a template.

    `start` is written first, unless the tokenizer adds the start token itself; `system` is the system's
    message if a conversation does not begin with one. With `strips`, a message loses the spaces
    around it. `person` and `answer` are put around the messages of [INST], `system_marks` around the
    system's.
    `marks` are those of an unknown template.
    """

    kind: Kind
    start: str = ""
    system: str = ""
    strips: bool = False
    person: tuple[str, str] = ("", "")
    answer: tuple[str, str] = ("", "")
    system_marks: tuple[str, str] = ("", "\n\n")
    marks: tuple[str, ...] = ()


def read_frame(template: str, start: str = "") -> ChatFrame:
    """The frame of a chat template; `start` is the start token, if the tokenizer leaves it to the template.

    >>> frame = read_frame("{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>'}}")
    >>> frame.kind.value
    'ChatML'
    """
    start = start if "bos_token" in template else ""
    strips = STRIPPED.search(template) is not None
    if "<|im_start|>" in template:
        system = SYSTEM.search(template)
        return ChatFrame(Kind.CHATML, start, system[2].replace("\\n", "\n") if system else "")
    if "<|start_header_id|>" in template:
        return ChatFrame(Kind.LLAMA_3, start, strips=strips)
    if "[INST]" in template:
        return _inst(template, start, strips)
    return ChatFrame(Kind.UNKNOWN, marks=tuple(dict.fromkeys(MARK.findall(template))))


def _inst(template: str, start: str, strips: bool) -> ChatFrame:
    """Mistral's frame, whose versions differ in their spaces; or Llama 2's, with `<s>` before every turn."""
    llama = "<<SYS>>" in template
    opening, closing = (re.search(rf"""['"]( ?\[{mark}\] ?)['"]""", template) for mark in ("INST", "/INST"))
    spaced = re.search(r"""['"] ['"]\s*[+~]\s*(?:message|content)""", template)
    ending = re.search(r"""eos_token\s*[+~]\s*['"] ['"]""", template)
    before_end = re.search(r"""['"] ['"]\s*[+~]\s*eos_token""", template)
    first = FIRST if re.search(r"""bos_token\s*[+~]\s*['"] ?\[INST\]""", template) else ""
    return ChatFrame(
        Kind.INST,
        start,
        strips=strips and llama,
        person=(first + (opening[1] if opening else "[INST] "), closing[1] if closing else " [/INST]"),
        answer=(" " if spaced else "", f"{' ' if before_end else ''}{LAST}{' ' if ending else ''}"),
        system_marks=("<<SYS>>\n", "\n<</SYS>>\n\n") if llama else ("", "\n\n"),
    )


def render(frame: ChatFrame, messages: Iterable[tuple[str, str]]) -> str:
    """A conversation of (role, message) pairs in its frame, with the beginning of the model's answer.

    A role is system, user or assistant. Raises FormatError for an unknown frame, TextError for
    a conversation that does not fit it.

    >>> render(ChatFrame(Kind.CHATML), [("user", "Hello")])
    '<|im_start|>user\\nHello<|im_end|>\\n<|im_start|>assistant\\n'
    """
    turns = [(role, text.strip() if frame.strips else text) for role, text in messages]
    if not turns or any(role not in ("system", "user", "assistant") for role, _ in turns):
        raise TextError("This is not a conversation.", "Begin with a message of the user or the system.")
    if frame.kind is Kind.UNKNOWN:
        marks = ", ".join(frame.marks[:4]) or "none that is known"
        raise FormatError(
            f"The model's chat template is of another kind; its marks are {marks}.",
            "Type the marks around the text by hand.",
        )
    if frame.kind is Kind.INST:
        return frame.start + _inst_turns(frame, turns).removeprefix(FIRST)
    if frame.kind is Kind.CHATML:
        before, between, after = "<|im_start|>", "\n", "<|im_end|>\n"
    else:
        before, between, after = "<|start_header_id|>", "<|end_header_id|>\n\n", "<|eot_id|>"
    if frame.system and turns[0][0] != "system":
        turns = [("system", frame.system), *turns]
    text = "".join(f"{before}{role}{between}{message}{after}" for role, message in turns)
    return f"{frame.start}{text}{before}assistant{between}"


def _inst_turns(frame: ChatFrame, turns: list[tuple[str, str]]) -> str:
    """The turns of [INST], with the system's message at the beginning of the first."""
    system = ""
    if turns[0][0] == "system":
        system, turns = f"{frame.system_marks[0]}{turns[0][1]}{frame.system_marks[1]}", turns[1:]
    if [role for role, _ in turns] != ["user", "assistant"] * (len(turns) // 2) + ["user"]:
        raise TextError(
            "In this model's frame the user and the assistant take turns, and the user speaks last.",
            "Leave out or join messages.",
        )
    turns[0] = ("user", system + turns[0][1])
    around = {"user": frame.person, "assistant": frame.answer}
    return "".join(f"{around[role][0]}{text}{around[role][1]}" for role, text in turns)
