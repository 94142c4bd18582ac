"""Activation patching: put a state of one run into another, and see whether the answer moves.

contrast    two prompts with the same number of tokens, and the two answers that tell them apart
states      the state of each layer at each token, exactly or estimated by one backward pass
heads       each head and each feed-forward layer at one position, and the fewest that suffice together
noise       a prompt and itself with its subject disturbed, in place of two prompts
direct      the logit of an answer as the sum of what each part of the network has written

    pair = contrast(model, "The capital of France is", "The capital of Italy is")
    patch_states(model, pair).share            [layer, pos]: 1 where the first prompt's answer is back
    patch_heads(model, pair).share             [layer, head]
    direct_logits(model, "The capital of France is", "Paris").parts

Vig et al., "Investigating Gender Bias in Language Models Using Causal Mediation Analysis" (NeurIPS 2020);
Meng et al., "Locating and Editing Factual Associations in GPT" (NeurIPS 2022); Wang et al., "Interpretability
in the Wild" (ICLR 2023). How to measure: Zhang and Nanda, "Towards Best Practices of Activation Patching in
Language Models" (ICLR 2024).
"""

from explorer.analysis.patching.contrast import Contrast as Contrast
from explorer.analysis.patching.contrast import contrast as contrast
from explorer.analysis.patching.contrast import word_of as word_of
from explorer.analysis.patching.direct import DirectLogits as DirectLogits
from explorer.analysis.patching.direct import direct_logits as direct_logits
from explorer.analysis.patching.direct import direct_logits_of as direct_logits_of
from explorer.analysis.patching.heads import PatchedHeads as PatchedHeads
from explorer.analysis.patching.heads import Together as Together
from explorer.analysis.patching.heads import patch_heads as patch_heads
from explorer.analysis.patching.heads import patch_heads_of_layers as patch_heads_of_layers
from explorer.analysis.patching.heads import patch_together as patch_together
from explorer.analysis.patching.noise import disturb as disturb
from explorer.analysis.patching.states import PatchedStates as PatchedStates
from explorer.analysis.patching.states import estimate_states as estimate_states
from explorer.analysis.patching.states import patch_layers as patch_layers
from explorer.analysis.patching.states import patch_state as patch_state
from explorer.analysis.patching.states import patch_states as patch_states
from explorer.analysis.patching.states import states_with as states_with
