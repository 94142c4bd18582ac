"""Who may look at whom: masks, what they change, and how a word finds its way back to itself.

masks       one set of weights under several masks, as in UniLM
readers     what each place of BERT, GPT and ELMo has read, as a drawing and as measured
leaking     why BERT must hide the words that it guesses
"""
