"""Numbers fetched from memory before they are needed: an instruction that numba does not offer."""

from collections.abc import Callable
from functools import cache
from inspect import unwrap
from typing import Any

from explorer.system.numba_cache import import_numba


@cache
def prefetcher() -> Callable[[Any, int], None]:
    """A function for compiled code: bring element `index` of an array's memory into the processor's cache.

    A hint that changes no number: an index beyond the array does no harm.
    """
    import_numba()
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    def prefetch(typing: Any, array: Any, index: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            first, number = context.make_array(array)(context, builder, values[0]).data, ir.IntType(32)
            address = builder.bitcast(builder.gep(first, [values[1]]), ir.IntType(8).as_pointer())
            kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
            hint = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
            builder.call(hint, [address, number(0), number(3), number(1)])  # to read; keep; data
            return context.get_dummy_value()

        return types.void(array, index), build

    hint: Callable[[Any, int], None] = intrinsic(unwrap(prefetch))
    return hint
