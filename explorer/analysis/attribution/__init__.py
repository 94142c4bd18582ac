"""Which input tokens mattered for one prediction, by several methods, and how far these methods agree.

prediction      what is predicted: a word, or one word rather than another, in nats
removal         deletion: the prediction without a token
gradients       gradient x input, integrated gradients
attention       attention rollout, read at the position that predicts
agreement       rank correlations between methods
faithfulness    the prediction without the tokens that a method names first

The class of a fine-tuned head is predicted by `explorer.finetuning.attribution`.
"""
