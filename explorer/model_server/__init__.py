"""Models on other machines: `explorer.load("serve:http://host:8000/bert")`, and the server that answers.

    wire        bodies are safetensors with some JSON, errors are JSON
    client      a request and its answer over HTTP
    remote      a model whose network is elsewhere             writing: the text that it continues
    passes      a forward pass as a client asks for it         served: one model as a server offers it
    application a served model as a FastAPI application

The model's own scheduler (`explorer.generation`) batches the steps of texts; the client sends a request again
if the server fails on the way.
"""
