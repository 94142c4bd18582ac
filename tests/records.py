"""Records of trainings that never were: a word that rises, tokens that try to break out, growing texts."""

import json
from pathlib import Path
from typing import Any

BLANK, HOSTILE = "The doctor worked at the [MASK] for ten years.", "<b>We</b> walk [MASK] home."
PROMPT = "Once upon a time there was a little"
LAST = 2_611_200


def bert(points: int = 8) -> dict[str, Any]:
    """For [MASK]: “hospital” comes in halfway and leads at the end; the second sentence is hostile."""
    return _record(points, [BLANK, HOSTILE], lambda at: {"predictions": [_doctor(at), _hostile(at)]})


def gpt(points: int = 8) -> dict[str, Any]:
    """For the next token, with texts that grow better."""
    return _record(
        points,
        [PROMPT],
        lambda at: {
            "predictions": [
                [[" girl", 0.1 + 0.4 * at], ["\n", 0.08], ["  ", 0.05], ["ing", 0.02], [" boy", 0.01]]
            ],
            "continuations": [f" girl who had {round(at * 100)} </script>\nand more of them than"],
        },
    )


def write(folder: Path, record: dict[str, Any]) -> None:
    """Beside a checkpoint's weights, as training does."""
    (folder / "training.json").write_text(json.dumps(record), encoding="utf-8")


def moments(points: int) -> list[int]:
    """Tokens read at each point: 0, then twice as many each time; a single point is the end."""
    return [0] * (points > 1) + [LAST // 2**k for k in range(points - 1 if points > 1 else 1)][::-1]


def _record(points: int, sentences: list[str], seen: Any) -> dict[str, Any]:
    read = moments(points)
    return {
        "sentences": sentences,
        "curve": {"tokens": [LAST * i // 50 for i in range(1, 51)], "loss": [9 - i / 10 for i in range(50)]},
        "points": [
            {
                "tokens": tokens,
                "steps": tokens // 2048,
                "seconds": tokens / 500,
                "figures": {
                    "masked_top1": 0.3 * i / points,
                    "next_sentence": 0.5 + 0.04 * i,
                    "masked_nats": 9 - i / 2,
                    "bits_per_byte": 3 - i / 10,
                    "measured": 50_000.0,
                    "odd one": 12.0 + i,
                },
                **seen(i / (points - 1) if points > 1 else 1.0),
            }
            for i, tokens in enumerate(read)
        ],
        "run": {"machine": "none", "tokens": LAST},
    }


def _doctor(at: float) -> list[list[Any]]:
    late = [["hospital", 0.6 * at], ["school", 0.1], ["clinic", 0.05], ["the", 0.03], ["##ing", 0.01]]
    early = [["the", 0.0009], ["of", 0.0004], ["[UNK]", 0.0003], ["##s", 0.0002], ["school", 0.0001]]
    return late if at > 0.5 else early


def _hostile(at: float) -> list[list[Any]]:
    words = ["</script>", "[UNK]", "##ing", "__proto__", "<img src=x onerror=alert(1)>"]
    return [[word, (0.2 + 0.2 * at) / (i + 1)] for i, word in enumerate(words)]
