"""A search by meaning in a cell: the passages, why one of them was found, and an answer from them."""

from explorer.analysis.sentences import Answers, Pairs, Ranking
from explorer.notebook.cell import Cell, cell_of
from explorer.views.frame.saving.web_page import Component
from explorer.views.search.pair_data import pair_data, ranking_data


@cell_of.register
def _ranking(ranking: Ranking) -> Cell | None:
    if not ranking.matches:
        return None
    return Cell([Component("search/passages", ranking_data(ranking))], ranking.question)


@cell_of.register
def _pairs(pairs: Pairs) -> Cell:
    notes = "A square is what a pair of tokens adds to the cosine. Shades in the passage are sums of columns."
    return Cell([Component("search/pairs", pair_data(pairs))], pairs.question.encoding.text, notes)


@cell_of.register
def _answers(answers: Answers) -> Cell:
    texts = {"with the passages": answers.with_passages, "without": answers.without}
    rows = [{"score": label, "text": text.continuation} for label, text in texts.items()]
    data = {"label": "Two answers", "rows": rows, "chosen": -1}
    return Cell([Component("search/passages", data)], answers.question, "\n".join(answers.passages))
