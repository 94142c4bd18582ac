"""The texts with which the continuations page opens."""

STORY = "Once upon a time there was a little girl"
PASSAGE = (
    "My mother went to the shop to buy some bread and milk for the family. Then she came home and put "
    "the elephant in the fridge."
)
TALE = (
    "The children were hungry after their long walk, so they sat down under a tree and ate their bread. "
    "Then it began to rain, and they ran home as fast as they could."
)
QUESTION = "What is the capital of France?"
DOOR = "Late in the evening somebody knocked at the door. My grandmother put down her"
AUNT = "He had learnt to play the violin from Aunt Philippa in the kitchen. Every Sunday Aunt"
