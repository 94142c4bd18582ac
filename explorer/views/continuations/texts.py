"""The texts with which the continuations page opens."""

STORY = "Once upon a time there was a little girl"
PASSAGE = (
    "My mother went to the shop to buy some bread and milk for the family. Then she came home and put "
    "the elephant in the fridge."
)
QUESTION = "What is the capital of France?"
AUNT = "He had learnt to play the violin from Aunt Philippa in the kitchen. Every Sunday Aunt"
CAT = "The cat was asleep on the"
FABLE = (
    "The raven sat in the tree. The raven had a piece of cheese. The fox came to the tree and looked up. "
    "The fox saw the raven, and the fox saw the cheese. The fox said to the raven: You have the best "
    "voice in the wood. The raven said nothing, for the raven had the cheese. The fox said to the raven: "
    "Sing a song, and the whole wood will hear the best voice of all. The raven sang a song. The cheese "
    "fell out of the tree. The fox had the cheese, and the raven had a song. The next day the raven sat "
    "in the tree again. The raven had a piece of bread. The fox came to the tree and said to the raven: "
    "You have the best voice in the wood. The raven put the bread under a foot and sang a song. The fox "
    "looked up and saw the bread, and the bread stayed in the tree. The fox said nothing and went into "
    "the wood."
)
WINTER = (
    "In the winter the fox was hungry. The raven sat in the old tree and had a piece of meat. The fox "
    "said to the raven: I have no voice, but I have a warm house. The raven looked at the snow and came "
    "down."
)
