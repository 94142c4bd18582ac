"""Parameter names as files have them: those of the first files that were written, which never change.

Fingerprints of weights, differences to a checkpoint and saved training runs use these names; in the code the
heads have the field's.
"""

SAVED = {
    "mlm_head": "fill",
    "discriminator_head": "judge",
    "sop_head": "order",
    "nsp_head": "next",
    "embedding_projection": "widen",
}
CURRENT = {old: new for new, old in SAVED.items()}


def saved_name(name: str) -> str:
    """The name of a parameter in files.

    >>> saved_name("mlm_head.bias"), saved_name("blocks.0.mlp.up.weight")
    ('fill.bias', 'blocks.0.mlp.up.weight')
    """
    return ".".join(SAVED.get(module, module) for module in name.split("."))


def current_name(name: str) -> str:
    """The name in the code of a parameter that a file has.

    >>> current_name("fill.bias"), current_name("generator.widen.weight")
    ('mlm_head.bias', 'generator.embedding_projection.weight')
    """
    return ".".join(CURRENT.get(module, module) for module in name.split("."))
