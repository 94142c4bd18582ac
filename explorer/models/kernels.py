"""One token of each of a few texts through a whole GPT, compiled; PyTorch's calls would take longer than
their work.

A row of a batch comes out the same, bit by bit, in any company: every sum is made in one order,
whatever rows stand beside it and wherever they lie in memory.

A product of a few rows with a weight, summed in float32, knows two layouts of the weight:

    out[r, i] = bias[i]  +  sum over j of x[r, j] weight[i, j]

    matrix   [d_out, d_in] as the network has it, read once from end to end: for weights that no cache
             holds, and which must not lie in memory twice
    panels   [d_out / LANES, d_in, LANES], a copy in which neighbours are multiplied by the same x: four
             rows take little longer than one

Stored numbers are float32, or bfloat16 as uint16. Import this where it is needed: the compiler takes
seconds. Its results are kept on disk, and made anew when this file changes: hence one file.
"""

import math

import numpy as np
from llvmlite import ir
from numba import carray, njit, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

SUMS = {"reassoc", "contract", "nsz"}  # sums may be reordered, for vectors; infinities and NaN count as ever

# --- Numbers as they are stored, and the exponential function

HIGHEST, LOWEST = 88.0, -87.0  # beyond them a float32 is infinite, or too small to be kept exactly
LOG2_E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.693359375, -2.12194440e-4


@intrinsic
def number(context, stored):
    """A stored number as float32: itself, or the 16 bits of a bfloat16, which are a float's upper half."""

    def convert(context, builder, signature, arguments):
        return as_float(builder, arguments[0])

    return types.float32(stored), convert


def as_float(builder: ir.IRBuilder, stored: ir.Value) -> ir.Value:
    """The same for code that writes LLVM's language itself: a number, or a vector of them."""
    kind = stored.type
    lanes = kind.count if isinstance(kind, ir.VectorType) else None
    if (kind.element if lanes else kind) == ir.FloatType():
        return stored

    def many(one: ir.Type) -> ir.Type:
        return ir.VectorType(one, lanes) if lanes else one

    wide = many(ir.IntType(32))
    shift = ir.Constant(wide, [16] * lanes if lanes else 16)
    return builder.bitcast(builder.shl(builder.zext(stored, wide), shift), many(ir.FloatType()))


@intrinsic
def stored_as(context, x, like):
    """A float32 as the array `like` stores numbers: itself, or the nearest bfloat16, ties to even."""

    def convert(context, builder, signature, arguments):
        if like.dtype == types.float32:
            return arguments[0]
        i32 = ir.IntType(32)
        bits = builder.bitcast(arguments[0], i32)
        odd = builder.and_(builder.lshr(bits, i32(16)), i32(1))
        rounded = builder.add(bits, builder.add(odd, i32(0x7FFF)))
        kept = builder.select(
            builder.fcmp_unordered("uno", arguments[0], arguments[0]), i32(0x7FC00000), rounded
        )
        return builder.trunc(builder.lshr(kept, i32(16)), ir.IntType(16))

    return like.dtype(types.float32, like), convert


@intrinsic
def _pointer(context, address, like):
    """An address as a pointer to numbers of the kind that the array `like` holds."""
    kind = types.CPointer(like.dtype)

    def convert(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(kind))

    return kind(types.int64, like), convert


@njit(nogil=True)
def numbers_at(address, shape, like):
    """The numbers at an address, as an array."""
    return carray(_pointer(address, like), shape)


@intrinsic
def _two_to_the(context, n):
    """2^n for a whole number n between -126 and 127."""

    def convert(context, builder, signature, arguments):
        i32 = ir.IntType(32)
        return builder.bitcast(builder.shl(builder.add(arguments[0], i32(127)), i32(23)), ir.FloatType())

    return types.float32(types.int32), convert


@njit(nogil=True, error_model="numpy", fastmath={"contract"})
def exp(x):
    """e^x within two units in the last place, made of what a vector does to all its numbers at once.

    e^x = 2^n e^r with n the whole number nearest to x / ln 2; e^r by the polynomial of Cephes' expf
    (Moshier 1989). Below what a float32 holds exactly it is 0, above what it holds it stays at the end;
    NaN remains NaN.
    """
    held = min(max(x, np.float32(LOWEST)), np.float32(HIGHEST))
    n = np.floor(held * np.float32(LOG2_E) + np.float32(0.5))
    r = held - n * np.float32(LN2_HIGH) - n * np.float32(LN2_LOW)
    sum = np.float32(1.9875691500e-4)
    sum = sum * r + np.float32(1.3981999507e-3)
    sum = sum * r + np.float32(8.3334519073e-3)
    sum = sum * r + np.float32(4.1665795894e-2)
    sum = sum * r + np.float32(1.6666665459e-1)
    sum = sum * r + np.float32(5.0000001201e-1)
    found = (sum * r * r + r + np.float32(1)) * _two_to_the(np.int32(n))
    found = found if x >= np.float32(LOWEST) else np.float32(0)
    return found if x == x else x


# --- Products

LANES = 32  # columns of a panel: two vectors of 512 bits, whose sums do not wait for each other
TOGETHER = 4  # rows whose sums the processor's registers hold at once
I64, VECTOR = ir.IntType(64), ir.VectorType(ir.FloatType(), LANES)


def product(x, weight, bias, out):
    """Write the product of every row into `out`; both may be wider than the weight asks."""
    raise NotImplementedError("only compiled code calls this")


@overload(product)
def _product(x, weight, bias, out):
    return _with_matrix if weight.ndim == 2 else _with_panels


@njit(nogil=True, error_model="numpy", fastmath=SUMS)
def _matrix(x, weight, bias, out):
    for i in range(weight.shape[0]):
        for r in range(x.shape[0]):
            total = np.float32(0)
            for j in range(weight.shape[1]):
                total += x[r, j] * number(weight[i, j])
            out[r, i] = total + bias[i]


def _with_matrix(x, weight, bias, out):
    _matrix(x, weight, bias, out)


def _with_panels(x, weight, bias, out):
    whole = x.shape[0] - x.shape[0] % TOGETHER
    for p in range(weight.shape[0]):
        for r in range(x.shape[0]):
            for lane in range(p * LANES, (p + 1) * LANES):
                out[r, lane] = bias[lane]
        for r in range(0, whole, TOGETHER):
            _add_four(x, r, weight, p, out)
        for r in range(whole, x.shape[0]):
            _add_one(x, r, weight, p, out)


def _adding(rows: int):
    """Code that adds the sum of x[r, j] weight[p, j] over j to so many rows of `out`.

    Each row's sums go by j alone, one number after another: the order is the same in any company.
    """

    @intrinsic
    def add(context, x, r, weight, p, out):
        def write(context, builder, signature, arguments):
            r, p = arguments[1], arguments[3]
            x, weight, out = (
                context.make_array(signature.args[at])(context, builder, arguments[at]) for at in (0, 2, 4)
            )
            wide, long = builder.extract_value(x.shape, 1), builder.extract_value(out.shape, 1)
            column = builder.mul(p, I64(LANES))
            count = builder.extract_value(weight.shape, 1)
            panel = builder.gep(weight.data, [builder.mul(column, count)])
            inputs, outputs = [], []
            for k in range(rows):
                row = builder.add(r, I64(k))
                inputs.append(builder.gep(x.data, [builder.mul(row, wide)]))
                outputs.append(builder.gep(out.data, [builder.add(builder.mul(row, long), column)]))
            starts = [_lanes(builder, output) for output in outputs]
            before = builder.block
            loop, after = builder.append_basic_block("loop"), builder.append_basic_block("after")
            builder.branch(loop)
            builder.position_at_end(loop)
            j, sums = builder.phi(I64), [builder.phi(VECTOR) for _ in range(rows)]
            weights = as_float(builder, _lanes(builder, builder.gep(panel, [builder.mul(j, I64(LANES))])))
            ends = [
                _fma(builder, _spread(builder, builder.load(builder.gep(row, [j]))), weights, total)
                for row, total in zip(inputs, sums)
            ]
            following = builder.add(j, I64(1))
            for phi, start, end in zip([j, *sums], [I64(0), *starts], [following, *ends]):
                phi.add_incoming(start, before)
                phi.add_incoming(end, loop)
            builder.cbranch(builder.icmp_signed("<", following, count), loop, after)
            builder.position_at_end(after)
            for output, end in zip(outputs, ends):
                builder.store(end, builder.bitcast(output, VECTOR.as_pointer())).align = 4
            return context.get_dummy_value()

        return types.void(x, r, weight, p, out), write

    return add


def _lanes(builder: ir.IRBuilder, pointer: ir.Value) -> ir.Value:
    """The numbers of one panel's width at a pointer."""
    kind = pointer.type.pointee
    found = builder.load(builder.bitcast(pointer, ir.VectorType(kind, LANES).as_pointer()))
    found.align = 4 if kind == ir.FloatType() else 2
    return found


def _spread(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """One number in every lane."""
    nothing = ir.Constant(VECTOR, ir.Undefined)
    first = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(builder.insert_element(nothing, x, ir.IntType(32)(0)), nothing, first)


def _fma(builder: ir.IRBuilder, a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
    """a b + c in every lane, rounded once."""
    kind = ir.FunctionType(VECTOR, [VECTOR] * 3)
    return builder.call(
        cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{LANES}f32"), [a, b, c]
    )


_add_four, _add_one = _adding(TOGETHER), _adding(1)


# --- The layers

GELU, GELU_TANH, RELU, SILU, TANH = range(5)
# How the kernels name the activations of `layers.ACTIVATIONS`.
CODES = {
    "gelu": GELU,
    "gelu_new": GELU_TANH,
    "gelu_pytorch_tanh": GELU_TANH,
    "relu": RELU,
    "silu": SILU,
    "tanh": TANH,
}


@njit(nogil=True, error_model="numpy")
def grow(x, found):
    """Add to every row as many numbers as it has."""
    for r in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[r, j] += found[r, j]


@njit(nogil=True, error_model="numpy", fastmath=SUMS)
def norm(x, scale, shift, eps, out):
    """LayerNorm of every row (Ba, Kiros, Hinton 2016)."""
    width = len(scale)
    for r in range(x.shape[0]):
        total = np.float32(0)
        for j in range(width):
            total += x[r, j]
        mean = total / np.float32(width)
        total = np.float32(0)
        for j in range(width):
            total += (x[r, j] - mean) ** 2
        by = np.float32(1) / np.sqrt(total / np.float32(width) + np.float32(eps))
        for j in range(width):
            out[r, j] = (x[r, j] - mean) * by * scale[j] + shift[j]


@njit(nogil=True, error_model="numpy", fastmath={"contract"})
def sigmoid(x):
    """1 / (1 + e^-x)."""
    return np.float32(1) / (np.float32(1) + exp(-x))


@njit(nogil=True, error_model="numpy", fastmath={"contract"})
def activate(x, width, code):
    """The activation of every number of every row, in its place."""
    for r in range(x.shape[0]):
        row = x[r]
        if code == GELU_TANH:
            for j in range(width):
                u = np.float32(math.sqrt(2 / math.pi)) * (row[j] + np.float32(0.044715) * row[j] ** 3)
                row[j] *= sigmoid(np.float32(2) * u)  # (1 + tanh u) / 2 is the sigmoid of 2u
        elif code == GELU:
            for j in range(width):
                row[j] *= np.float32(0.5) * (np.float32(1) + np.float32(math.erf(row[j] * math.sqrt(0.5))))
        elif code == RELU:
            for j in range(width):
                row[j] = max(row[j], np.float32(0)) if row[j] == row[j] else row[j]
        elif code == SILU:
            for j in range(width):
                row[j] *= sigmoid(row[j])
        else:
            for j in range(width):
                row[j] = np.float32(2) * sigmoid(np.float32(2) * row[j]) - np.float32(1)


@njit(nogil=True, error_model="numpy", fastmath=SUMS)
def attend(query, keys, values, since, count, scores, out):
    """One head of one row: softmax(q K^T / sqrt(d_head)) V over `count` positions of its cache.

    The head's numbers stand at `since` and after it, in the query and in what is written.
    """
    width = keys.shape[1]
    by = np.float32(1 / math.sqrt(width))
    highest = np.float32(-np.inf)
    for t in range(count):
        total = np.float32(0)
        for j in range(width):
            total += query[since + j] * number(keys[t, j])
        scores[t] = total * by
        highest = max(highest, scores[t])
    for t in range(count):
        scores[t] = exp(scores[t] - highest)
    total = np.float32(0)
    for t in range(count):
        total += scores[t]
    for j in range(width):
        out[since + j] = np.float32(0)
    for t in range(count):
        share = scores[t] / total
        for j in range(width):
            out[since + j] += share * number(values[t, j])


@njit(nogil=True, cache=True, error_model="numpy")
def read_tokens(x, caches, rooms, at, heads, eps, code, weights, biases, norms, last_norm, like):
    """Read one token of each text through all layers; returns the last layer's states, normalised.

    `x` holds the embeddings; for each row there is the address of its text's cache, its room for
    positions, and the position where the token stands, in that room. `weights` and `biases` are those of all
    layers' four products, `norms` [layer, 4, d_model] the norms' scales and shifts; `like` is an
    array of the caches' kind of number.
    """
    rows, d_model = x.shape
    qkv, output, up, down = weights
    layers, d_head, d_mlp = len(norms), d_model // heads, down.shape[2]
    wide = max(biases[0].shape[1], biases[1].shape[1], biases[3].shape[1])
    normed = np.empty((rows, d_model), np.float32)
    found = np.empty((rows, wide), np.float32)
    inside = np.empty((rows, biases[2].shape[1]), np.float32)
    longest = 0
    for r in range(rows):
        longest = max(longest, at[r] + 1)
    scores = np.empty(longest, np.float32)
    for layer in range(layers):
        norm(x, norms[layer, 0], norms[layer, 1], eps, normed)
        product(normed, qkv[layer], biases[0][layer], found)
        for r in range(rows):
            cache = numbers_at(caches[r], (layers, 2, heads, rooms[r], d_head), like)
            for part in range(2):
                for h in range(heads):
                    start = (part + 1) * d_model + h * d_head
                    for j in range(d_head):
                        cache[layer, part, h, at[r], j] = stored_as(found[r, start + j], like)
        for r in range(rows):
            cache = numbers_at(caches[r], (layers, 2, heads, rooms[r], d_head), like)
            for h in range(heads):
                keys, values = cache[layer, 0, h], cache[layer, 1, h]
                attend(found[r], keys, values, h * d_head, at[r] + 1, scores, normed[r])
        product(normed, output[layer], biases[1][layer], found)
        grow(x, found)
        norm(x, norms[layer, 2], norms[layer, 3], eps, normed)
        product(normed, up[layer], biases[2][layer], inside)
        activate(inside, d_mlp, code)
        product(inside, down[layer], biases[3][layer], found)
        grow(x, found)
    norm(x, last_norm[0], last_norm[1], eps, normed)
    return normed


@njit(nogil=True, cache=True, error_model="numpy")
def score(states, vocabulary, bias):
    """The logits of every row; wider than the vocabulary where its layout is."""
    out = np.empty((len(states), len(bias)), np.float32)
    product(states, vocabulary, bias, out)
    return out
