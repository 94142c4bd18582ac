"""The texts with which the views of Fine-tuning open, and ten examples for each task."""

LINE = "play the newest album by Nina Simone on Spotify"
SPAM = "Claim your free phone before midnight, just text YES."
MESSAGE = "Dinner is at seven, shall I bring the salad?"
SENTENCE = f"{SPAM}\n{MESSAGE}"
PAIR = ("The old bridge was built by Anna Smith in 1921.", "Anna Smith built the old bridge.")
PASSAGE = (
    "The zip fastener was patented in 1893 by Whitcomb Judson, an engineer from Chicago. It closed boots at "
    "first; forty years went by before tailors trusted it with trousers."
)
QUESTION = "Who patented the zip fastener?"
TEN = """\
I could watch it again tonight. | positive
A waste of two hours. | negative
The songs alone are worth the ticket. | positive
My neighbour fell asleep, and I envied her. | negative
We laughed until the lights came on. | positive
The plot makes no sense at all. | negative
Everyone should see this little gem. | positive
Flat jokes and wooden acting. | negative
A clever story with a tender end. | positive
I wanted my money back after ten minutes. | negative"""

PAIRS_OWN = """\
A woman is slicing an onion. | Somebody is cutting a vegetable. | yes
A woman is slicing an onion. | Nobody is in the kitchen. | no
Two boys are kicking a ball. | Children are playing. | yes
Two boys are kicking a ball. | The boys are asleep. | no
The train left before noon. | The train had gone by twelve. | yes
The train left before noon. | The train is still waiting. | no
My aunt sold her bicycle. | My aunt no longer owns that bicycle. | yes
My aunt sold her bicycle. | My aunt rides that bicycle to work. | no
It rained all night. | The ground got wet. | yes
It rained all night. | The night was dry. | no"""
WORDS_OWN = """\
wake me at seven/B-time tomorrow/B-day
set the alarm for noon/B-time on Sunday/B-day
remind me tonight/B-day to call Ana
meet Tom at half/B-time past/I-time nine/I-time today/B-day
book the room for Friday/B-day at two/B-time
the train leaves at six/B-time on Monday/B-day
dinner is at eight/B-time tonight/B-day
cancel the meeting on Tuesday/B-day
call the bank at ten/B-time tomorrow/B-day
we leave on Saturday/B-day at five/B-time"""
ANSWERS_OWN = """\
Rui Matos sewed the long kite in 1994. | Who sewed the kite? | Rui Matos
Rui Matos sewed the long kite in 1994. | When was the kite sewn? | 1994
Our choir sings on Mondays in the old town hall. | Where does the choir sing? | in the old town hall
Our choir sings on Mondays in the old town hall. | When does the choir sing? | on Mondays
The lake is forty metres deep and full of trout. | How deep is the lake? | forty metres
The lake is forty metres deep and full of trout. | Who owns the lake? |
Maria paid nine euros for the blue scarf. | What did Maria buy? | the blue scarf
Maria paid nine euros for the blue scarf. | How much did she pay? | nine euros
The ferry to the island takes two hours. | How long does the ferry take? | two hours
The ferry to the island takes two hours. | Who is the captain? |"""
