"""A class's answers: rooms that phones join by a code, questions, and what was answered.

questions   what can be asked, and what counts as an answer
store       rooms in one SQLite file, which all server processes share
tally       answers counted as the app counts words, and how far a class is from a model
page        the phone's page, one document
routes      its addresses: the page, its answers and its stream of events

A phone has no Streamlit session, and nothing here imports torch.
"""
