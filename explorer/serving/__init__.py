"""Models on other machines: `explorer.load("serve:http://host:8000/bert")`, and what answers there.

    client  a pass, a head or a stream of tokens is asked for over HTTP       connection, remote, writing
    wire    bodies are safetensors with a line of JSON, never pickles         wire, protocol
    server  one model, asked from anywhere; several requests, one batch       served, batching, handler

`python -m explorer.serving --models bert gpt` starts Ray Serve with a deployment for each model
(`deployment`), or with `--plain` one process without Ray (`plain`). Only these two know of Ray and of a web
server. Not to be confused with `explorer.serve`, which starts several processes of the app itself.
"""
