"""Two languages in one model: translations found, and a classifier of English asked in Chinese."""

import pytest

from explorer.analysis.two_languages.zero_shot import ZeroShotResult
from explorer.errors import AbilityError
from explorer.finetuning import transfer
from training.metrics import two_languages
from training.metrics.figure import Inputs
from training.metrics.two_languages import retrieval


def test_a_text_is_its_own_translation(tiny_chinese):
    same = [("天地人", "天地人"), ("山水火", "山水火"), ("日月星", "日月星")]
    there, back, _ = retrieval(tiny_chinese, same)
    assert there.layers == back.layers == (1, 1, 1, 1)


@pytest.mark.long
@pytest.mark.slow
def test_a_classifier_of_english_is_asked_in_chinese_layer_by_layer(tiny_bilingual, monkeypatch):
    monkeypatch.setattr(two_languages, "TASKS", ("bank",))
    found = {figure.key: figure for figure in two_languages.right_in_chinese(tiny_bilingual, Inputs())}
    assert list(found) == ["zero_shot_bank", "zero_shot_bank_centred"]
    bank = found["zero_shot_bank"]
    assert bank.items == 24 and bank.value == max(bank.layers)
    assert len(bank.layers) == tiny_bilingual.config.layers + 1
    assert "chance: 50" in bank.note and "shared" not in bank.note
    topics = two_languages.figure(
        transfer.read("topics"), two_languages.CENTRED, [ZeroShotResult(("food",), (True, False), 0.5)]
    )
    assert "chance: 25" in topics.note and "shared tokens alone" in topics.note


def test_of_one_language_no_other_is_asked(tiny_chinese):
    with pytest.raises(AbilityError):
        two_languages.right_in_chinese(tiny_chinese, Inputs())
