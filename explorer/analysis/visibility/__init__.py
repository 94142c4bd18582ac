"""Which tokens read which: attention masks and their effects.

masks       one set of weights under several masks, as in UniLM
readers     what each state of BERT, GPT and ELMo has read, as a drawing and as measured
"""
