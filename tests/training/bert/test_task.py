"""What a step of BERT's training reads."""

import torch

from explorer.training.bert.task import encoded
from explorer.training.text.rows import layout, pairs


def test_rows_of_like_length_together_are_read_as_all_at_once(bert):
    rows = pairs(bert._shards[0], 24, bert.frame, seed=0, short=0.9).take(torch.arange(21))
    allowed, segments, _ = layout(rows, bert.frame)
    end = rows.columns[1]
    assert len(set(end.tolist())) > 3, "some rows have padding"
    got = encoded(bert.network, rows.ids, segments, allowed)
    whole = bert.network(rows.ids, segments=segments, mask=allowed).last
    torch.testing.assert_close(got[allowed], whole[allowed], atol=1e-5, rtol=1e-5)
    longest = end.sort().values[: len(end) // 8]  # the first groups are cut to less than the whole
    assert (got[end.argsort()[: len(longest)]][:, longest.max() :] == 0).all()
