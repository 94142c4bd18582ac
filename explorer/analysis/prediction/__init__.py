"""What a model expects: masked words, the next token, a whole text, the next sentence.

fill                [MASK], next tokens, next sentence
one_side            the next and the previous word, from ELMo's two directions
likelihood          whole texts, in batches
surprisal           how surprising every token of a text is
few_shot            a task from examples in the prompt
logit_lens          the prediction after each layer, at one place
text_lens           the same at every place of a text
template_bias       which of two sets of words a model prefers in a blank
corruption          which tokens BERT's training masks, replaces and keeps
gibbs               text written by a masked language model, by Gibbs sampling or blank by blank
shannon             Shannon's guessing game
drawing             tokens sampled from a distribution
replacing           ELECTRA's training on one text: replacements, verdicts, both losses
masking             texts with blanks, as a person edits them
"""

from explorer.analysis.prediction.fill import (
    Blanks,
    Candidate,
    Probe,
    blanks,
    fill_mask,
    log_likelihood,
    next_sentence,
    next_tokens,
    probe,
    ranked,
    top,
)
from explorer.analysis.prediction.one_side import Sides, next_words, previous_words, sides, words_of

__all__ = [
    "Blanks",
    "Candidate",
    "Probe",
    "Sides",
    "blanks",
    "fill_mask",
    "log_likelihood",
    "next_sentence",
    "next_tokens",
    "next_words",
    "previous_words",
    "probe",
    "ranked",
    "sides",
    "top",
    "words_of",
]
