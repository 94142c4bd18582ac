"""Which tokens read which: attention masks, their effects, and how a word leaks back to its own position.

masks       one set of weights under several masks, as in UniLM
readers     what each state of BERT, GPT and ELMo has read, as a drawing and as measured
leaking     why BERT must mask the words that it predicts
"""
