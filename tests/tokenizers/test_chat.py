"""Chat frames, beside what the templates themselves write."""

import json

import pytest

from explorer.errors import FormatError, TextError
from explorer.tokenizers import read_tokenizer
from explorer.tokenizers.chat import Kind, read_frame, render
from tests.tokenizers import small

SMOLLM = (
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\nYou are a helpful AI assistant named SmolLM<|im_end|>\n' }}{% endif %}"
    "{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
QWEN = (
    r"""{%- if messages[0]['role'] == 'system' %}{{- '<|im_start|>system\n' + messages[0]['content'] + """
    r"""'<|im_end|>\n' }}{%- else %}{{- '<|im_start|>system\nYou are Qwen. You help.<|im_end|>\n' }}"""
    """{%- endif %}"""
    r"""{%- for message in messages %}{%- if not (loop.first and message.role == "system") %}"""
    r"""{{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>' + '\n' }}{%- endif %}"""
    r"""{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %}"""
)
LLAMA_3 = (
    "{% set loop_messages = messages %}{% for message in loop_messages %}"
    "{% set content = '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'"
    "+ message['content'] | trim + '<|eot_id|>' %}"
    "{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}{{ content }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)
LLAMA_2 = (
    "{% if messages[0]['role'] == 'system' %}{% set rest = messages[1:] %}"
    "{% set system_message = messages[0]['content'] %}{% else %}{% set rest = messages %}"
    "{% set system_message = false %}{% endif %}{% for message in rest %}"
    "{% if loop.index0 == 0 and system_message != false %}"
    r"{% set content = '<<SYS>>\n' + system_message + '\n<</SYS>>\n\n' + message['content'] %}"
    "{% else %}{% set content = message['content'] %}{% endif %}{% if message['role'] == 'user' %}"
    "{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}{% elif message['role'] == 'assistant' %}"
    "{{ ' '  + content.strip() + ' ' + eos_token }}{% endif %}{% endfor %}"
)
MISTRAL_1 = (
    "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'user' %}"
    "{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}"
    "{{ message['content'] + eos_token + ' ' }}{% endif %}{% endfor %}"
)
MISTRAL_3 = (
    """{%- if messages[0]["role"] == "system" %}{%- set system_message = messages[0]["content"] %}"""
    """{%- set loop_messages = messages[1:] %}{%- else %}{%- set loop_messages = messages %}{%- endif %}"""
    """{{- bos_token }}{%- for message in loop_messages %}{%- if message["role"] == "user" %}"""
    r"""{%- if loop.first and system_message is defined %}{{- "[INST] " + system_message + "\n\n" """
    """+ message["content"] + "[/INST]" }}{%- else %}{{- "[INST] " + message["content"] + "[/INST]" }}"""
    """{%- endif %}{%- else %}{{- " " + message["content"] + eos_token }}{%- endif %}{%- endfor %}"""
)
TEMPLATES = {
    "smollm": SMOLLM,
    "qwen": QWEN,
    "llama 3": LLAMA_3,
    "llama 2": LLAMA_2,
    "mistral": MISTRAL_3,
    "mistral 1": MISTRAL_1,
}
TURNS = [("user", "Hello"), ("assistant", "Hi."), ("user", " Why?")]
SYSTEM = ("system", "Answer in one word.")


CONVERSATIONS = [TURNS[:1], TURNS, [SYSTEM, *TURNS]]
NO_SYSTEM = "mistral 1"  # its template leaves out what the system says


@pytest.mark.parametrize(
    ("kind", "messages"),
    [(kind, said) for kind in TEMPLATES for said in CONVERSATIONS if kind != NO_SYSTEM or SYSTEM not in said],
)
def test_frames_are_those_of_the_templates(tmp_path, kind, messages):
    import transformers

    small.LEFT_TO_RIGHT[kind.removesuffix(" 1")](tmp_path)
    config = json.loads((tmp_path / "tokenizer_config.json").read_text(encoding="utf-8"))
    (tmp_path / "tokenizer_config.json").write_text(
        json.dumps(config | {"chat_template": TEMPLATES[kind]}), encoding="utf-8"
    )
    ours = read_tokenizer(tmp_path)
    theirs = transformers.PreTrainedTokenizerFast.from_pretrained(tmp_path)
    asked = [{"role": role, "content": text} for role, text in messages]
    text = theirs.apply_chat_template(asked, tokenize=False, add_generation_prompt=True)
    first = ours.token(ours.start) if ours.adds_start else ""
    written = render(ours.chat, messages)
    assert text == first + written
    if "mistral" not in kind:  # which puts a space before a text alone, not after a token
        assert ours.encode(written).ids.tolist() == theirs(text, add_special_tokens=False)["input_ids"]


def test_where_a_template_stands(tmp_path):
    small.write_qwen(tmp_path)
    assert read_tokenizer(tmp_path).chat is None
    config = json.loads((tmp_path / "tokenizer_config.json").read_text(encoding="utf-8"))
    named = [{"name": "rag", "template": "x"}, {"name": "default", "template": QWEN}]
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config | {"chat_template": named}))
    assert read_tokenizer(tmp_path).chat.system == "You are Qwen. You help."
    (tmp_path / "chat_template.jinja").write_text(LLAMA_3, encoding="utf-8")
    assert read_tokenizer(tmp_path).chat.kind is Kind.LLAMA_3


def test_the_start_is_written_where_the_tokenizer_puts_none(tmp_path):
    small.write_pythia(tmp_path)
    (tmp_path / "chat_template.jinja").write_text("{{ bos_token }}" + SMOLLM, encoding="utf-8")
    assert render(read_tokenizer(tmp_path).chat, TURNS[:1]).startswith("<|endoftext|><|im_start|>system")


def test_what_has_no_frame_is_told_of():
    unknown = read_frame("{{ '<start_of_turn>' + role + '<end_of_turn>' }}")
    with pytest.raises(FormatError, match="<start_of_turn>, <end_of_turn>"):
        render(unknown, TURNS)
    with pytest.raises(FormatError, match="none that is known"):
        render(read_frame("{{ x }}"), TURNS)
    for messages in ([], [("tool", "x")]):
        with pytest.raises(TextError, match="not a conversation"):
            render(read_frame(SMOLLM), messages)
    for messages in ([SYSTEM], TURNS[:2], TURNS[1:]):
        with pytest.raises(TextError, match="take turns"):
            render(read_frame(MISTRAL_1), messages)
