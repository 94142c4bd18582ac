"""How a conversation is written for a model that was trained to answer: its chat frame.

    ChatML    <|im_start|>user⏎Hello<|im_end|>⏎<|im_start|>assistant⏎                      Qwen, SmolLM2
    Llama 3   <|start_header_id|>user<|end_header_id|>⏎⏎Hello<|eot_id|><|start_header_id|>assistant …
    [INST]    [INST] Hello [/INST]                                                         Llama 2, Mistral

A checkpoint brings a template, which is a program. It is never run: its markers say which frame it is, and
that one is written here. The line with today's date that Llama 3.1 adds is left out.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from explorer.errors import FormatError, TextError

MARK = re.compile(r"<\|?\w[\w ]+\|?>|\[/?[A-Z_]+\]")
FIRST, LAST = "<s>", "</s>"  # what stands around a turn of [INST]
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
    """What a template says of its frame.

    `start` is written first, where the tokenizer puts no start token in front by itself; `system` is what
    the system says where a conversation does not begin with it. With `strips`, a message loses the spaces
    around it. `person` and `answer` stand around the messages of [INST], `aside` around the system's.
    `marks` are those of a template that is unknown.
    """

    kind: Kind
    start: str = ""
    system: str = ""
    strips: bool = False
    person: tuple[str, str] = ("", "")
    answer: tuple[str, str] = ("", "")
    aside: tuple[str, str] = ("", "\n\n")
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
        said = SYSTEM.search(template)
        return ChatFrame(Kind.CHATML, start, said[2].replace("\\n", "\n") if said else "")
    if "<|start_header_id|>" in template:
        return ChatFrame(Kind.LLAMA_3, start, strips=strips)
    if "[INST]" in template:
        return _inst(template, start, strips)
    return ChatFrame(Kind.UNKNOWN, marks=tuple(dict.fromkeys(MARK.findall(template))))


def _inst(template: str, start: str, strips: bool) -> ChatFrame:
    """Mistral's frame, whose versions differ in their spaces; or Llama 2's, where `<s>` begins every turn."""
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
        aside=("<<SYS>>\n", "\n<</SYS>>\n\n") if llama else ("", "\n\n"),
    )


def render(frame: ChatFrame, messages: Iterable[tuple[str, str]]) -> str:
    """A conversation of (role, message) pairs in its frame, with the beginning of the model's answer.

    A role is system, user or assistant. Raises FormatError for a frame that is not known, TextError for
    a conversation that has no place in it.

    >>> render(ChatFrame(Kind.CHATML), [("user", "Hello")])
    '<|im_start|>user\\nHello<|im_end|>\\n<|im_start|>assistant\\n'
    """
    said = [(role, text.strip() if frame.strips else text) for role, text in messages]
    if not said or any(role not in ("system", "user", "assistant") for role, _ in said):
        raise TextError("This is no conversation.", "Begin with a message of the user or the system.")
    if frame.kind is Kind.UNKNOWN:
        marks = ", ".join(frame.marks[:4]) or "none that is known"
        raise FormatError(
            f"The model's chat template is of another kind; its marks are {marks}.",
            "Type the marks around the text by hand.",
        )
    if frame.kind is Kind.INST:
        return frame.start + _instructed(frame, said).removeprefix(FIRST)
    if frame.kind is Kind.CHATML:
        before, between, after = "<|im_start|>", "\n", "<|im_end|>\n"
    else:
        before, between, after = "<|start_header_id|>", "<|end_header_id|>\n\n", "<|eot_id|>"
    if frame.system and said[0][0] != "system":
        said = [("system", frame.system), *said]
    turns = "".join(f"{before}{role}{between}{text}{after}" for role, text in said)
    return f"{frame.start}{turns}{before}assistant{between}"


def _instructed(frame: ChatFrame, said: list[tuple[str, str]]) -> str:
    """The turns of [INST], in which the system speaks at the beginning of the first."""
    system = ""
    if said[0][0] == "system":
        system, said = f"{frame.aside[0]}{said[0][1]}{frame.aside[1]}", said[1:]
    if [role for role, _ in said] != ["user", "assistant"] * (len(said) // 2) + ["user"]:
        raise TextError(
            "In this model's frame the user and the assistant take turns, and the user speaks last.",
            "Leave out or join messages.",
        )
    said[0] = ("user", system + said[0][1])
    around = {"user": frame.person, "assistant": frame.answer}
    return "".join(f"{around[role][0]}{text}{around[role][1]}" for role, text in said)
