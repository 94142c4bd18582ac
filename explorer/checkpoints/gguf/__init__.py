"""GGUF, llama.cpp's single file for a model: sizes, tokenizer and quantised numbers.

`file` is the door. `reader` reads the header before the numbers, `parts` those of a model in several files,
`config` and `names` put it into the hub's words, `tensors` makes float32 of the numbers;
`explorer.tokenizers.gguf` builds the tokenizer.
"""
