"""What the presets of the masked-words page's views promise, measured on the weights that ship."""

import pytest

import explorer
from explorer.analysis import prediction
from explorer.analysis.prediction import corruption, gibbs, logit_lens, template_bias
from explorer.views.masked.presets import BY_VIEW, presets_for
from explorer.views.masked.sentence import listed
from tests.views.opening import defaults

DEFAULTS = defaults("masked")

pytestmark = pytest.mark.weights


@pytest.fixture(scope="module")
def model():
    return explorer.load(DEFAULTS["model"])


def preset(view: str, number: int) -> dict:
    return DEFAULTS | presets_for(view)[number].values


def biases(model, settings: dict) -> tuple[dict[str, float], float]:
    words = (listed(settings[name]) for name in ("fillers", "one", "other"))
    result = template_bias.compare_sets(model, settings["template"], *words)
    return {one.filler: one.bits for one in result.biases}, result.prior.bits


def test_every_views_first_preset_is_how_it_opens():
    for view in BY_VIEW:
        values = preset(view, 0)
        assert values["view"] == view
        assert {**values, "view": "predict", "words": []} == DEFAULTS


def test_milk_is_bought_in_the_store_and_a_doctor_seen_in_the_hospital(model):
    settings = preset("predict", 3)
    hospital, store = listed(settings["probe"])
    for text, first, second in ((settings["pinned"], hospital, store), (settings["text"], store, hospital)):
        blank = prediction.blanks(model, text)
        one, other = (prediction.probe(model, blank, word).probability for word in (first, second))
        assert one > 2 * other


def test_he_is_expected_and_the_jobs_move_it(model):
    bits, prior = biases(model, preset("sets", 0))
    assert prior > 1 and bits["soldier"] == max(bits.values()) > prior
    assert 0 < bits["nurse"] < prior and bits["maid"] < 0


def test_singulars_and_plurals_part(model):
    bits, _ = biases(model, preset("sets", 1))
    plural = {word for word in bits if word.endswith("s")}
    assert len(plural) == 4
    assert min(bits[w] for w in bits.keys() - plural) > 1 and max(bits[w] for w in plural) < -1


def test_seasons_are_known_and_countries_hardly(model):
    bits, _ = biases(model, preset("sets", 2))
    assert bits["summer"] > bits["winter"] + 0.5 and bits["July"] > bits["January"] + 0.5
    assert abs(bits["Africa"] - bits["Norway"]) < 0.3


def words(model, result: logit_lens.Lens, layer: int, k: int = 4) -> list[str]:
    return [c.token.strip() for c in prediction.ranked(model, result.probabilities[layer], k)]


def test_hospital_comes_last_and_gpt_does_not_get_there(model):
    text, gpt = preset("layers", 0)["text"], explorer.load("gpt")
    result = logit_lens.at_mask(model, text)
    firsts = [words(model, result, layer)[0] for layer in range(len(result.probabilities))]
    assert firsts[-1] == "hospital" and "hospital" not in firsts[:-1]
    assert {"city", "house", "room"} & {w for layer in (3, 4) for w in words(model, result, layer)}
    other = logit_lens.at_end(gpt, text.split("[MASK]")[0].rstrip())
    assert min(other.ranks(logit_lens.tracked_word(gpt, "hospital").id)) > 1


def test_gpt_repeats_before_it_guesses():
    settings, gpt = preset("layers", 1), explorer.load("gpt")
    result = logit_lens.at_end(gpt, settings["text"].split("[MASK]")[0].rstrip())
    assert words(gpt, result, 0)[0] == "little" and words(gpt, result, -1)[0] == "girl"
    assert listed(settings["watched"])[:2] == ["little", "girl"]


def test_is_leads_half_way_and_are_at_the_end(model):
    result = logit_lens.at_mask(model, preset("layers", 2)["text"])
    are, is_ = (result.probabilities[:, logit_lens.tracked_word(model, word).id] for word in ("are", "is"))
    assert is_[3] > are[3] and all(are[4:] > is_[4:])


def losses(model, settings: dict, seeds: range) -> dict[corruption.Treatment, list[float]]:
    result: dict[corruption.Treatment, list[float]] = {treatment: [] for treatment in corruption.Treatment}
    encoding = model.encode(settings["sentence"])
    for seed in seeds:
        rates = corruption.Rates(chosen=settings["share"] / 100)
        corrupted = corruption.corrupt(model, encoding, seed, rates)
        for one in corruption.losses(model, corrupted):
            result[corrupted.treatments[one.position]].append(one.loss)
    return result


def test_the_opening_seed_is_the_first_that_chooses_fifteen_percent(model):
    settings = preset("training", 0)
    encoding = model.encode(settings["sentence"])
    fifteen = round(0.15 * int((~encoding.special).sum()))

    def chosen(seed: int) -> list[corruption.Treatment]:
        treatments = corruption.corrupt(model, encoding, seed).treatments
        return [one for one in treatments if one is not corruption.Treatment.NOT_CHOSEN]

    assert next(seed for seed in range(20) if len(chosen(seed)) == fifteen) == settings["seed"]


def test_few_are_chosen_and_the_kept_seldom_missed(model):
    few = losses(model, preset("training", 0), range(60))
    hidden, kept_losses = few[corruption.Treatment.MASKED], few[corruption.Treatment.KEPT]
    assert sum(map(len, few.values())) < 0.3 * 60 * len(model.encode(DEFAULTS["sentence"]))
    assert sum(loss < 0.7 for loss in kept_losses) > 0.8 * len(kept_losses) > 1
    everything = losses(model, preset("training", 1), range(8))[corruption.Treatment.MASKED]
    assert sum(everything) / len(everything) > sum(hidden) / len(hidden) + 0.5


def test_a_silly_second_sentence_passes(model):
    settings = preset("next", 1)
    after, bank, shoe, silly = (
        prediction.next_sentence(model, settings["first"], second)
        for second in settings["seconds"].splitlines()
    )
    assert after > 0.7 and silly > 0.7 and bank < 0.4 and bank < shoe


def test_what_goes_on_is_ahead_of_what_does_not(model):
    settings = preset("next", 0)
    beach, bank, novel = (
        prediction.next_sentence(model, settings["first"], second)
        for second in settings["seconds"].splitlines()
    )
    assert beach > 0.5 and beach > max(bank, novel)


def test_of_the_hairy_dog_hairy_alone_is_masked_and_hard_to_guess(model):
    settings = preset("training", 2)
    corrupted = corruption.corrupt(model, model.encode(settings["sentence"]), settings["seed"])
    treated = dict(zip(corrupted.encoding.tokens, corrupted.treatments))
    assert [word for word, how in treated.items() if how is not corruption.Treatment.NOT_CHOSEN] == ["hairy"]
    assert treated["hairy"] is corruption.Treatment.MASKED
    (hairy,) = corruption.losses(model, corrupted)
    assert hairy.probability < 0.05


def written(model, settings: dict, order: gibbs.Order) -> gibbs.Writing:
    text = gibbs.with_blanks(settings["frame"], settings["blanks"])
    options = gibbs.SamplingOptions(
        settings["temperature"],
        settings["top_k"],
        settings["steps"] // 2,
        settings["steps"],
        settings["start"] == "noise",
        settings["seed"],
    )
    writing = gibbs.write(model, text, order, options)
    list(writing)
    return writing


def test_three_orders_make_three_texts(model):
    texts = [written(model, preset("write", 0), order) for order in gibbs.Order]
    assert len({tuple(writing.ids.tolist()) for writing in texts}) == 3
    places = [step.place for step in texts[2].steps]
    assert places != sorted(places), "the surest blank is not always the next one"


def test_out_of_noise_comes_something_likelier(model):
    writing = written(model, preset("write", 1), gibbs.Order.GIBBS)
    before = writing.ids.clone()
    before[writing.positions] = before.new_tensor(writing.start)
    start, end = (model.tokenizer.decode(ids.tolist()) for ids in (before, writing.ids))
    noise, text = prediction.log_likelihood(model, start), prediction.log_likelihood(model, end)
    assert text > noise / 2


def test_the_published_settings_are_the_papers():
    settings = preset("write", 2)
    assert settings["blanks"] == gibbs.LENGTH
    assert (
        gibbs.SamplingOptions(
            settings["temperature"], settings["top_k"], settings["steps"] // 2, settings["steps"]
        )
        == gibbs.PUBLISHED
    )
