"""The attention page: heads, inside a head, across layers, while writing, compared, and BertViz's views."""
