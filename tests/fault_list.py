"""The thirty faults of `python -m tests.faults`: kept as the code changes, see there."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A mistake: the source text `good` becomes `bad`, and one of `tests` (functions) must fail."""

    name: str
    kind: str
    good: str
    bad: str
    tests: tuple[str, ...]


FAULTS = (
    Fault(
        "scale",
        "wrong scale: d_head for its square root",
        "queries @ keys.transpose(-1, -2) / math.sqrt(queries.shape[-1])",
        "queries @ keys.transpose(-1, -2) / queries.shape[-1]",
        ("test_a_single_text",),
    ),
    Fault(
        "softmax-axis",
        "softmax over queries instead of keys",
        'edited(edit, "pattern", layer, scores.softmax(dim=-1))',
        'edited(edit, "pattern", layer, scores.softmax(dim=-2))',
        ("test_any_text_is_read_and_rows_of_attention_sum_to_one",),
    ),
    Fault(
        "causal-mask",
        "a causal mask that leaks one position",
        "dtype=torch.bool, device=device).tril(read)",
        "dtype=torch.bool, device=device).tril(read + 1)",
        ("test_the_future_is_exactly_zero",),
    ),
    Fault(
        "gelu",
        "the exact GELU for GPT-2's approximation",
        '"gelu_new": lambda x: F.gelu(x, approximate="tanh")',
        '"gelu_new": F.gelu',
        ("test_every_activation",),
    ),
    Fault(
        "segments",
        "token types ignored",
        "self.segments(torch.zeros_like(ids) if segments is None else segments)",
        "self.segments(torch.zeros_like(ids))",
        ("test_a_pair", "test_next_sentence"),
    ),
    Fault(
        "padding-mask",
        "padding read by every text of a batch",
        "mask[row, : len(e)] = True",
        "mask[row] = True",
        ("test_many_texts_come_back_in_order_and_as_if_alone",),
    ),
    Fault(
        "elmo-backwards",
        "the reader from the right reads from the left",
        "for position in reversed(order) if backwards else order:",
        "for position in order:",
        ("test_each_half_knows_one_side_only",),
    ),
    Fault(
        "transposed",
        "a weight matrix read with its axes swapped, where its shape does not tell",
        "state[ours] = tensor.T if rule.transpose and tensor.ndim == 2 else tensor",
        "state[ours] = tensor.T if rule.transpose and len(tensor) != tensor.shape[-1] else tensor",
        ("test_a_single_text",),
    ),
    Fault(
        "checksum",
        "a damaged file passes",
        'sound = _digest(path, "sha256") == sums[path.name]',
        'sound = bool(_digest(path, "sha256"))',
        ("test_one_flipped_bit_is_found",),
    ),
    Fault(
        "span",
        "spans that begin one character late",
        "while end < following and combining(text[end]): end += 1 spans.append((start, end))",
        "while end < following and combining(text[end]):\n            end += 1\n"
        "        spans.append((min(start + 1, end), end))",
        ("test_wordpiece", "test_spans_of_awkward_texts"),
    ),
    Fault(
        "pair-cut",
        "the shorter sentence of a pair is cut first",
        "(first if len(first) >= len(second) else second).pop()",
        "(first if len(first) < len(second) else second).pop()",
        ("test_a_pair_is_shortened_on_its_longer_side",),
    ),
    Fault(
        "cut-message",
        "the page says that one token fewer was cut",
        "cut=len(ids) - len(kept)",
        "cut=max(len(ids) - len(kept) - 1, 0)",
        (
            "test_a_long_text_is_cut_and_the_page_says_how_much",
            "test_text_beyond_the_context_is_cut_and_counted",
        ),
    ),
    Fault(
        "not-normalised",
        "rows of attention without special tokens do not sum to 1",
        "return (rest / mass.clamp_min(1e-12)).masked_fill(",
        "return rest.masked_fill(",
        ("test_rows_of_any_layer_sum_to_one",),
    ),
    Fault(
        "word-attention",
        "pieces averaged as keys and summed as queries: axes swapped",
        "return mean @ pattern @ member.T",
        "return member @ pattern @ mean.T",
        ("test_three_by_three",),
    ),
    Fault(
        "rank",
        "ranks counted from 0",
        "int((row > row[ids[0]]).sum()) + 1",
        "int((row > row[ids[0]]).sum())",
        ("test_probe_of_one_piece",),
    ),
    Fault(
        "top-k",
        "one candidate fewer than was asked for",
        "best = probabilities.topk(min(k, len(probabilities)))",
        "best = probabilities.topk(min(k, len(probabilities)) - 1)",
        (
            "test_top_is_sorted_and_readable",
            "test_the_page_opens_with_ten_candidates_that_are_the_models_own",
        ),
    ),
    Fault(
        "top-p",
        "top-p drops the token that crosses p",
        "int((shares.cumsum(0) - shares < p).sum())",
        "max(int((shares.cumsum(0) < p).sum()), 1)",
        ("test_chances_follow_the_definition",),
    ),
    Fault(
        "seed",
        "a seed that is not used",
        "drawn = random.Random(seed)",
        "drawn = random.Random(0)",
        ("test_a_draw_is_repeatable_and_a_larger_one_begins_with_it",),
    ),
    Fault(
        "cosine",
        "Euclidean distance for cosine",
        "self.matrix @ F.normalize(direction, dim=-1, eps=1e-12) / self.lengths",
        "-(self.matrix - direction).norm(dim=-1)",
        ("test_nearest_leaves_the_word_itself_out_and_length_does_not_count",),
    ),
    Fault(
        "pca",
        "PCA of points that are not centred",
        "centred = (points - points.mean(0)).double()",
        "centred = points.double()",
        ("test_pca_is_the_eigenvectors_of_the_covariance",),
    ),
    Fault(
        "procrustes",
        "the turn of Procrustes the other way",
        "coordinates=current.coordinates @ left @ right",
        "coordinates=current.coordinates @ (left @ right).T",
        ("test_align_undoes_a_turn", "test_align_is_scipys_procrustes"),
    ),
    Fault(
        "leave-one-out",
        "an occurrence judged by a mean that holds it",
        "without = sums[None] - of[:, :, None] * some[:, None, :]",
        "without = sums[None] - 0 * of[:, :, None] * some[:, None, :]",
        ("test_separation_leaves_the_judged_one_out",),
    ),
    Fault(
        "blocklist",
        "the list of words that a class does not see is not applied",
        'on=":" not in checkpoint',
        'on=":" in checkpoint',
        ("test_other_models_are_left_alone", "test_a_listed_guess_is_dots_for_the_bundled_model"),
    ),
    Fault(
        "link",
        "whole numbers are left out of the link",
        "elif value != default: link[name] = packed",
        "elif value != default and not isinstance(value, int):\n                link[name] = packed",
        ("test_a_link_opens_the_same_view_and_follows_changes",),
    ),
    Fault(
        "undo",
        "an undo that forgets all but the first change",
        "self._past().append(last)",
        "self._past() or self._past().append(last)",
        ("test_undo_goes_back_change_by_change_and_then_rests",),
    ),
    Fault(
        "csv",
        "two columns of a saved table swapped",
        '["head", "from_position", "from", "to_position", "to", "weight"]',
        '["head", "to_position", "to", "from_position", "from", "weight"]',
        ("test_saved_weights_are_the_drawn_heads_weights",),
    ),
    Fault(
        "unescaped",
        "a typed word stands in HTML as it is",
        """return escape(text if len(text) <= letters else f"… {text[-letters:].split(' ', 1)[-1]}")""",
        """return text if len(text) <= letters else f"… {text[-letters:].split(' ', 1)[-1]}\"""",
        ("test_what_is_typed_stays_text",),
    ),
    Fault(
        "preset",
        "a preset with another sentence",
        '"text": "He had never seen the sea before.", "place": 1',
        '"text": "The old boat was never seen before.", "place": 1',
        ("test_the_presets_keep_their_promises",),
    ),
    Fault(
        "script",
        "JavaScript: a word from a link becomes part of the page",
        "made.textContent = String(text);",
        "made.innerHTML = String(text);",
        ("test_words_that_a_link_brings_are_text",),
    ),
    Fault(
        "bars",
        "JavaScript: a bar as long as what its probability lacks",
        'row.state === "cut" ? "0%" : width(two ? row.chance : row.probability)',
        'row.state === "cut" ? "0%" : width(two ? row.chance : 1 - row.probability)',
        ("test_ten_bars_as_long_as_their_words_are_probable",),
    ),
)
