"""Makes and measures the bundled models: `python -m training NAME` (docs/training.md).

text/          text files to blocks, token ids and rows
recipes.py     the command's options to a task in training: one recipe for each model
bert/ bilingual/ electra/ elmo/ gpt/ translator/ word2vec/     the tasks
run/           the loop: schedule, optimisers, saved states
shipping.py    checkpoints, records and cards (record.py, average.py, card.py, samples.py)
evaluate.py    the figures of a model (metrics/)
heads.py stored.py probes/ finetuning/ ablations/              figures and heads that pages show
"""
