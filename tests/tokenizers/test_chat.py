"""Chat templates, beside what `transformers` writes with them, and templates that do harm."""

import json
import random
import time
from datetime import date

import pytest

from explorer.errors import FormatError, TextError
from explorer.tokenizers import read_tokenizer
from explorer.tokenizers.chat import CHATML, ChatTemplate
from tests.tokenizers import small

# Nine kinds of templates in the shapes that published ones have, with words of our own.
LOOP = (
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + "
    "'<|im_end|>' + '\n'}}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
QWEN_2 = r"""
{%- if messages[0]['role'] == 'system' %}
    {{- '<|im_start|>system\n' + messages[0]['content'] + '<|im_end|>\n' }}
{%- else %}
    {{- '<|im_start|>system\nPut it within \\boxed{}.<|im_end|>\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if not (loop.first and message.role == "system") %}
        {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>' + '\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %}
"""
QWEN_3 = r"""
{%- set ns = namespace(last=messages|length - 1, seen=false) %}
{%- for message in messages[::-1] %}
    {%- if message.role == "user" and not ns.seen %}
        {%- set ns.seen = true %}{%- set ns.last = messages|length - 1 - loop.index0 %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- set content = message.content if message.content is string else '' %}
    {%- if message.role == "assistant" and '</think>' in content and loop.index0 < ns.last %}
        {%- set content = content.split('</think>')[-1].lstrip('\n') %}
    {%- endif %}
    {{- '<|im_start|>' + message.role + '\n' + content + '<|im_end|>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
    {%- if enable_thinking is defined and not enable_thinking %}{{- '<think>\n\n</think>\n\n' }}{%- endif %}
{%- endif %}
"""
LLAMA_3 = r"""
{{- bos_token }}
{%- if not date_string is defined %}{%- set date_string = strftime_now("%d %b %Y") %}{%- endif %}
{%- set system_message = "" %}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}{%- set messages = messages[1:] %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\n\n" }}
{{- "Today Date: " + date_string + "\n\n" }}{{- system_message }}{{- "<|eot_id|>" }}
{%- for message in messages %}
    {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'+ message['content'] | trim }}
    {{- '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{%- endif %}
"""
MISTRAL = r"""
{%- if messages[0]["role"] == "system" %}
    {%- set system_message = messages[0]["content"] %}{%- set loop_messages = messages[1:] %}
{%- else %}{%- set loop_messages = messages %}{%- endif %}
{{- bos_token }}
{%- for message in loop_messages %}
    {%- if (message["role"] == "user") != (loop.index0 % 2 == 0) %}
        {{- raise_exception("Roles must alternate.") }}
    {%- endif %}
    {%- if message["role"] == "user" %}
        {%- if loop.last and system_message is defined %}
            {{- "[INST] " + system_message + "\n\n" + message["content"] + "[/INST]" }}
        {%- else %}{{- "[INST] " + message["content"] + "[/INST]" }}{%- endif %}
    {%- else %}{{- " " + message["content"]|trim + eos_token}}{%- endif %}
{%- endfor %}
"""
YI = (
    "{% if messages[0]['role'] == 'system' %}{% set system_message = messages[0]['content'] %}{% endif %}"
    "{% if system_message is defined %}{{ system_message }}{% endif %}{% for message in messages %}"
    "{% if message['role'] == 'user' %}{{ '<|im_start|>user\n' + message['content'] + "
    "'<|im_end|>\n<|im_start|>assistant\n' }}{% elif message['role'] == 'assistant' %}"
    "{{ message['content'] + '<|im_end|>' + '\n' }}{% endif %}{% endfor %}"
)
DEEPSEEK = (
    "{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}"
    "{% set ns = namespace(system='') %}{%- for message in messages %}{%- if message['role'] == 'system' %}"
    "{% set ns.system = message['content'] %}{%- endif %}{%- endfor %}{{bos_token}}{{ns.system}}"
    "{%- for message in messages %}{%- if message['role'] == 'user' %}{{'<｜User｜>' + message['content']}}"
    "{%- endif %}{%- if message['role'] == 'assistant' and message['content'] is not none %}"
    "{% set content = message['content'] %}{% if '</think>' in content %}"
    "{% set content = content.split('</think>')[-1] %}{% endif %}"
    "{{'<｜Assistant｜>' + content + '<｜end▁of▁sentence｜>'}}{%- endif %}{%- endfor -%}"
    "{% if add_generation_prompt %}{{'<｜Assistant｜><think>\\n'}}{% endif %}"
)
ZEPHYR = (
    "{% for message in messages %}\n{% if message['role'] == 'user' %}\n"
    "{{ '<|user|>\n' + message['content'] + eos_token }}\n{% elif message['role'] == 'system' %}\n"
    "{{ '<|system|>\n' + message['content'] + eos_token }}\n{% elif message['role'] == 'assistant' %}\n"
    "{{ '<|assistant|>\n'  + message['content'] + eos_token }}\n{% endif %}\n"
    "{% if loop.last and add_generation_prompt %}\n{{ '<|assistant|>' }}\n{% endif %}\n{% endfor %}"
)
GEMMA = (
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('No system, please') }}"
    "{% endif %}{% for message in messages %}{% set role = 'model' if message['role'] == 'assistant' else "
    "message['role'] %}{% generation %}{{ '<start_of_turn>' + role + '\n' + message['content'] | trim + "
    "'<end_of_turn>\n' }}{% endgeneration %}{% if loop.index > 50 %}{% break %}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{'<start_of_turn>model\n'}}{% endif %}{{ messages | tojson }}"
)
TEMPLATES = {
    "ChatML": (LOOP, "qwen"), "Qwen 2": (QWEN_2, "qwen"), "Qwen 3": (QWEN_3, "qwen"),
    "Llama 3": (LLAMA_3, "llama 3"), "Mistral": (MISTRAL, "mistral"), "Yi": (YI, "qwen"),
    "DeepSeek": (DEEPSEEK, "llama 3"), "Zephyr": (ZEPHYR, "llama 2"), "Gemma": (GEMMA, "llama 2"),
}  # fmt: skip
ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
TEXTS = (
    "Hello", "  Why?\n", "<think>\nA greeting.\n</think>\n\nHi.", "{{ 7 * 7 }} {% raw %}",
    "“café” \u6771\u4eac \U0001f642 <|im_end|>", "",
)  # fmt: skip


def conversations() -> list[list[tuple[str, str]]]:
    """Forty, with and without a system text; one in eight does not take turns."""
    draw, result = random.Random(11), []
    for number in range(40):
        roles = ["user", "assistant"] * draw.randrange(3) + ["user"]
        if number % 8 == 7:
            roles.append(draw.choice(("user", "assistant")))
        if number % 2:
            roles.insert(0, "system")
        result.append([(role, draw.choice(TEXTS)) for role in roles])
    return result


@pytest.mark.parametrize("kind", TEMPLATES)
def test_a_template_writes_what_transformers_writes_with_it(kind, tmp_path):
    import transformers
    from jinja2 import TemplateError

    source, tokenizer = TEMPLATES[kind]
    small.LEFT_TO_RIGHT[tokenizer](tmp_path)
    (tmp_path / "chat_template.jinja").write_text(source, encoding="utf-8")
    ours = read_tokenizer(tmp_path)
    theirs = transformers.PreTrainedTokenizerFast.from_pretrained(tmp_path)
    first = ours.token(ours.start) if ours.adds_start else ""
    for messages, result in zip(conversations(), ours.chat.results(conversations()), strict=True):
        asked = [{"role": role, "content": text} for role, text in messages]
        try:
            expected = theirs.apply_chat_template(asked, tokenize=False, add_generation_prompt=True)
        except TemplateError as error:
            assert isinstance(result, TextError) and str(error) in result.message
            continue
        assert isinstance(result, str) and expected.removeprefix(first) == result, messages
        if tokenizer == "qwen":  # others put a token before a text, which the template writes too
            ids = theirs(expected, add_special_tokens=False)["input_ids"]
            assert ours.encode(result).ids.tolist() == ids


def test_where_a_template_stands(tmp_path):
    small.write_qwen(tmp_path)
    assert read_tokenizer(tmp_path).chat is None
    config = json.loads((tmp_path / "tokenizer_config.json").read_text(encoding="utf-8"))
    named = [{"name": "rag", "template": "x"}, {"name": "default", "template": QWEN_2}]
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config | {"chat_template": named}))
    assert read_tokenizer(tmp_path).chat.source == QWEN_2
    (tmp_path / "chat_template.jinja").write_text(LLAMA_3, encoding="utf-8")
    assert read_tokenizer(tmp_path).chat.source == LLAMA_3


def test_the_start_is_written_where_the_tokenizer_puts_none(tmp_path):
    small.write_pythia(tmp_path)
    (tmp_path / "chat_template.jinja").write_text("{{ bos_token }}" + LOOP, encoding="utf-8")
    assert read_tokenizer(tmp_path).chat.render([("user", "x")]).startswith("<|endoftext|><|im_start|>user")
    small.write_llama_3(tmp_path)
    assert read_tokenizer(tmp_path).chat.render([("user", "x")]).startswith("<|im_start|>user")


@pytest.mark.parametrize(
    ("source", "own"),
    [
        (LOOP, ""), (YI, ""), (MISTRAL, ""), (GEMMA, ""), (QWEN_2, "Put it within \\boxed{}."),
        (LLAMA_3, f"Today Date: {date.today():%d %b %Y}\n\n"),
    ],
)  # fmt: skip
def test_what_a_template_adds_by_itself_can_be_exchanged(source, own):
    template = ChatTemplate(source, {"bos_token": "<s>", "eos_token": "</s>"})
    assert template.own_system() == own
    turns = [("user", "Hi")]
    plain, exchanged = template.render(turns), template.with_system("", turns)
    assert exchanged == plain.replace(own, "", 1)
    if source != GEMMA:  # which refuses it
        assert template.with_system("Be brief.", turns).count("Be brief.") == 1
        assert "Today" not in template.with_system("Be brief.", turns)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        pytest.param(ENDLESS, "time or memory", marks=pytest.mark.slow),
        pytest.param("{{ 9 ** (9 ** 9 ** 9) }}", "time or memory", marks=pytest.mark.slow),
        ("{{ 'x' * 10 ** 10 }}", "memory"),
        (
            "{% set n = namespace(x='ab') %}{% for a in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
            "memory",
        ),
        ("{% for a in range(99999) %}{{ 'x' * 99 }}{% endfor %}", "writes 9,899,901 characters"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "recursion"),
        ("{{ ''.__class__ }}", "__class__ of str is not for templates"),
        ("{{ messages | attr('__class__') }}", "__class__ of list"),
        ("{{ '{0.__class__}'.format(1) }}", "__class__ of int"),
        ("{{ cycler.__init__.__globals__ }}", "__init__ of type"),
        ("{{ messages.append(1) }}", "append of list"),
        ("{% include '/etc/hosts' %}", "no loader"),
        ("{% import 'os' as os %}", "no loader"),
        ("{% for", "unexpected 'end of template'"),
        ("{{ x.y.z }}", "'x' is undefined"),
    ],
)
def test_a_template_that_does_harm_is_refused(source, said):
    start = time.monotonic()
    with pytest.raises(FormatError, match="chat template fails") as caught:
        ChatTemplate(source).render([("user", "x")])
    assert said in caught.value.message and time.monotonic() - start < 120
    assert ChatTemplate(source).own_system() == ""


def test_without_a_template_the_marks_are_those_of_chatml():
    assert CHATML.render([("system", "s"), ("user", "u")]) == ChatTemplate(LOOP).render(
        [("system", "s"), ("user", "u")]
    )
