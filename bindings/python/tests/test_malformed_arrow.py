"""Columns that break the rules of the Arrow C data interface raise an exception, and never a panic.

What cannot be checked is not tried: a pointer to nowhere, and a buffer that is shorter than its array
says.
"""

import ctypes as c
import gc

import pyarrow as pa
import pytest

import iriscan
from iriscan import Finder


class Schema(c.Structure):
    pass


class Array(c.Structure):
    pass


class Stream(c.Structure):
    pass


RELEASE_SCHEMA = c.CFUNCTYPE(None, c.POINTER(Schema))
RELEASE_ARRAY = c.CFUNCTYPE(None, c.POINTER(Array))
RELEASE_STREAM = c.CFUNCTYPE(None, c.POINTER(Stream))
GET_SCHEMA = c.CFUNCTYPE(c.c_int, c.POINTER(Stream), c.POINTER(Schema))
GET_NEXT = c.CFUNCTYPE(c.c_int, c.POINTER(Stream), c.POINTER(Array))
GET_LAST_ERROR = c.CFUNCTYPE(c.c_void_p, c.POINTER(Stream))

Schema._fields_ = [
    ("format", c.c_char_p), ("name", c.c_char_p), ("metadata", c.c_char_p), ("flags", c.c_int64),
    ("n_children", c.c_int64), ("children", c.POINTER(c.POINTER(Schema))), ("dictionary", c.POINTER(Schema)),
    ("release", RELEASE_SCHEMA), ("private_data", c.c_void_p),
]  # fmt: skip
Array._fields_ = [
    ("length", c.c_int64), ("null_count", c.c_int64), ("offset", c.c_int64), ("n_buffers", c.c_int64),
    ("n_children", c.c_int64), ("buffers", c.POINTER(c.c_void_p)), ("children", c.POINTER(c.POINTER(Array))),
    ("dictionary", c.POINTER(Array)), ("release", RELEASE_ARRAY), ("private_data", c.c_void_p),
]  # fmt: skip
Stream._fields_ = [
    ("get_schema", GET_SCHEMA), ("get_next", GET_NEXT), ("get_last_error", GET_LAST_ERROR),
    ("release", RELEASE_STREAM), ("private_data", c.c_void_p),
]  # fmt: skip

new_capsule = c.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]


@RELEASE_SCHEMA
def release_schema(schema):
    schema.contents.release = RELEASE_SCHEMA()


@RELEASE_ARRAY
def release_array(array):
    array.contents.release = RELEASE_ARRAY()


@RELEASE_STREAM
def release_stream(stream):
    stream.contents.release = RELEASE_STREAM()


# What the structures point to has to outlive them.
kept = []


def keep(value):
    kept.append(value)
    return value


def pointers(kind, values):
    """An array in C of pointers to `values`, of which some are None."""
    null = c.POINTER(kind)()
    made = [null if value is None else c.pointer(value) for value in values]
    return keep((c.POINTER(kind) * max(len(made), 1))(*made))


def schema(format=b"u", name=b"text", children=(), released=False, **fields):
    made = keep(Schema(format=format, name=name, n_children=len(children), flags=2))
    made.children = pointers(Schema, children)
    if not released:
        made.release = release_schema
    for field, value in fields.items():
        setattr(made, field, value)
    return made


TEXT = b"http://a.example/ http://b.example/"


def array(buffers=None, children=(), length=2, released=False, **fields):
    """Two rows of text, in the layout of `string`."""
    if buffers is None:
        buffers = [None, (c.c_int32 * 3)(0, 18, len(TEXT)), c.create_string_buffer(TEXT)]
    addresses = [None if b is None else c.cast(keep(b), c.c_void_p) for b in buffers]
    made = keep(Array(length=length, n_buffers=len(buffers), n_children=len(children)))
    made.buffers = keep((c.c_void_p * max(len(buffers), 1))(*addresses))
    made.children = pointers(Array, children)
    if not released:
        made.release = release_array
    for field, value in fields.items():
        setattr(made, field, value)
    return made


class Column:
    def __init__(self, schema, array):
        self.schema, self.array = schema, array

    def __arrow_c_array__(self, requested_schema=None):
        return (
            new_capsule(c.addressof(self.schema), b"arrow_schema", None),
            new_capsule(c.addressof(self.array), b"arrow_array", None),
        )


class Chunks:
    """A stream of one chunk. `fields` replaces its functions."""

    def __init__(self, schema, array, **fields):
        self.arrays = [array]

        @GET_SCHEMA
        def get_schema(_, out):
            if schema is not None:
                c.memmove(out, c.byref(schema), c.sizeof(Schema))
            return 0

        @GET_NEXT
        def get_next(_, out):
            if self.arrays:
                c.memmove(out, c.byref(self.arrays.pop()), c.sizeof(Array))
            return 0

        functions = {"get_schema": get_schema, "get_next": get_next, "release": release_stream}
        self.stream = keep(Stream(**{**functions, **fields}))

    def __arrow_c_stream__(self, requested_schema=None):
        return new_capsule(c.addressof(self.stream), b"arrow_array_stream", None)


def results(schema, array, stream=True):
    """What the functions say of a column, and of a stream of it."""
    finder = Finder()
    for call in (finder.find_array, finder.rewrite_array):
        yield lambda call=call: call(Column(Schema.from_buffer_copy(schema), Array.from_buffer_copy(array)))
        if stream:
            yield lambda call=call: call(Chunks(Schema.from_buffer_copy(schema), Array.from_buffer_copy(array)))
    if stream:
        yield lambda: pa.chunked_array(
            finder.find_stream(Chunks(Schema.from_buffer_copy(schema), Array.from_buffer_copy(array)))
        )


def refuses(schema, array, match=None, stream=True):
    tried = 0
    for call in results(schema, array, stream):
        tried += 1
        # A PanicException is no Exception.
        with pytest.raises(Exception, match=match):
            call()
    assert tried


def record_batch(*children, **fields):
    return schema(b"+s", b"", children, **fields)


VIEWS = [None, (c.c_char * 32)(), c.create_string_buffer(TEXT), (c.c_int64 * 1)(len(TEXT))]


def test_what_is_well_formed_is_read():
    """The structures of this file are right, so that what is refused is what is wrong with them."""
    for made in results(schema(), array(), stream=False):
        assert len(pa.array(made())) == 2
    for made in results(record_batch(schema()), array([None], [array()])):
        got = made()
        if isinstance(got, iriscan.ArrowStream):
            got = pa.chunked_array(got)
        assert len(got) == 2
    for kind in (b"vu", b"vz"):
        assert len(Finder().find_array(Column(schema(kind), array(VIEWS)))) == 2
    links = pa.array(Finder().find_array(Column(schema(), array())))
    assert [[link["host"].as_py() for link in row] for row in links] == [["a.example"], ["b.example"]]
    # Metadata are bytes, of which nothing is read.
    wrong = schema(metadata=b"\xff\xff\xff\xff\xff\xff")
    assert len(Finder().find_array(Column(wrong, array()))) == 2


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        (lambda: schema(None), "has no format"),
        (lambda: schema(b""), "string_view"),
        (lambda: schema(b"\xff"), "format is not UTF-8"),
        (lambda: schema(b"?"), "string_view"),
        (lambda: schema(b"u "), "string_view"),
        (lambda: schema(b"w:"), "string_view"),
        (lambda: schema(b"w:-1"), "string_view"),
        (lambda: schema(b"w:x"), "string_view"),
        (lambda: schema(b"d:1"), "string_view"),
        (lambda: schema(b"d:999,999,7"), "string_view"),
        (lambda: schema(b"tss"), "string_view"),
        (lambda: schema(b"+"), "string_view"),
        *[
            (lambda format=format: schema(format), "string_view")
            for format in (b"+l", b"+L", b"+vl", b"+vL", b"+m", b"+r", b"+w:3", b"+w:", b"+ud:0", b"+us:0,1", b"+ud:")
        ],
        (lambda: schema(b"+l", n_children=1), "string_view"),
        (lambda: schema(b"+l", children=[None]), "string_view"),
        (lambda: schema(b"+ud:1", n_children=-1), "string_view"),
        (lambda: schema(name=b"\xff"), "name is not UTF-8"),
        (lambda: schema(released=True), "given away"),
        (lambda: schema(b"i", dictionary=c.pointer(schema(None))), "has no format"),
        (lambda: schema(b"i", dictionary=c.pointer(schema(b"\xff"))), "format is not UTF-8"),
        (lambda: schema(b"i", dictionary=c.pointer(schema(released=True))), "given away"),
        (lambda: schema(b"i", dictionary=c.pointer(schema(b"l"))), "string_view"),
        (lambda: schema(b"i", dictionary=c.pointer(schema(b"i", dictionary=c.pointer(schema())))), "string_view"),
        (lambda: schema(b"u", dictionary=c.pointer(schema(b"u"))), "keys are no integers"),
        (lambda: record_batch(), "one column, not 0"),
        (lambda: record_batch(schema(), schema()), "one column, not 2"),
        (lambda: record_batch(n_children=-1), "negative"),
        (lambda: record_batch(n_children=1 << 62), "one column"),
        (lambda: record_batch(None), "child is missing"),
        (lambda: record_batch(schema(None)), "has no format"),
        (lambda: record_batch(schema(b"\xff")), "not UTF-8"),
        (lambda: record_batch(schema(name=b"\xff")), "not UTF-8"),
        (lambda: record_batch(schema(released=True)), "given away"),
        (lambda: record_batch(record_batch(schema())), "string_view"),
        (lambda: record_batch(schema(b"+l")), "string_view"),
    ],
)
def test_malformed_schemas(wrong, match):
    refuses(wrong(), array(), match)


def no_children(made):
    made.children = c.POINTER(c.POINTER(type(made)))()
    return made


def test_children_without_pointers():
    refuses(no_children(record_batch(n_children=1)), array(), "child is missing")
    refuses(record_batch(schema()), no_children(array([None], n_children=1)), "lacks its column")


def no_buffers(**fields):
    made = array(**fields)
    made.buffers = c.POINTER(c.c_void_p)()
    return made


OFFSETS = (c.c_int32 * 3)(0, 18, len(TEXT))
DATA = c.create_string_buffer(TEXT)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: array(length=-1),
        lambda: array(length=-(1 << 63)),
        lambda: array(offset=-1),
        lambda: array(length=(1 << 63) - 1),
        lambda: array(length=(1 << 63) - 1, offset=(1 << 63) - 1),
        lambda: array(length=1 << 60),
        lambda: array(null_count=3),
        lambda: array(released=True),
        lambda: array([]),
        lambda: array([None, OFFSETS]),
        lambda: array([None, OFFSETS, DATA, DATA]),
        lambda: array(n_buffers=-1),
        lambda: array(n_buffers=1 << 62),
        lambda: array([None, None, DATA]),
        lambda: array([None, OFFSETS, None]),
        lambda: no_buffers(),
        lambda: array([None, (c.c_int32 * 3)(0, 18, -1), DATA]),
        lambda: array([None, (c.c_int32 * 3)(0, -18, 20), DATA]),
        lambda: array([None, (c.c_int32 * 3)(30, 18, 20), DATA]),
        lambda: array(dictionary=c.pointer(array())),
    ],
)
def test_malformed_arrays(wrong):
    refuses(schema(), wrong(), stream=False)
    refuses(record_batch(schema()), array([None], [wrong()]))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: array([], []),
        lambda: array([None], []),
        lambda: array([None], [None]),
        lambda: array([None], [array(), array()]),
        lambda: array([None], n_children=-1),
        lambda: array([None], [array()], length=3),
        lambda: array([None], [array()], offset=1),
        lambda: array([None], [array()], length=-1),
        lambda: array([None, None], [array()]),
        lambda: array([None], [array()], null_count=5),
    ],
)
def test_malformed_record_batches(wrong):
    refuses(record_batch(schema()), wrong())


@pytest.mark.parametrize("kind", [b"vu", b"vz"])
@pytest.mark.parametrize(
    "wrong",
    [
        lambda: array([]),
        lambda: array([None]),
        lambda: array([None, VIEWS[1]]),
        lambda: array([None, None, None]),
        lambda: array([None, VIEWS[1], DATA, None]),
        lambda: array([None, VIEWS[1], None, VIEWS[3]]),
        lambda: array([None, VIEWS[1], DATA, (c.c_int64 * 1)(-1)]),
        lambda: array(VIEWS, length=1 << 60),
        # A view of 100 bytes of buffer 7.
        lambda: array([None, (c.c_int32 * 8)(100, 0, 7, 0, 100, 0, 7, 0), DATA, VIEWS[3]]),
        lambda: array([None, (c.c_int32 * 8)(-1, 0, 0, 0, -1, 0, 0, 0), DATA, VIEWS[3]]),
    ],
)
def test_malformed_views(kind, wrong):
    refuses(schema(kind), wrong(), stream=False)


KEYS = (c.c_int32 * 2)(1, 0)


def test_malformed_dictionaries():
    of_texts = schema(b"i", dictionary=c.pointer(schema()))
    right = array([None, KEYS], dictionary=c.pointer(array()))
    for call in results(of_texts, right, stream=False):
        assert len(call()) == 2
    hosts = [[link["host"] for link in row] for row in Finder().find_array(Column(of_texts, right))]
    assert hosts == [["b.example"], ["a.example"]]
    for wrong in (
        array([None, KEYS]),
        array([None, None], dictionary=c.pointer(array())),
        array([None, KEYS, KEYS], dictionary=c.pointer(array())),
        array([KEYS], dictionary=c.pointer(array())),
        array([None, KEYS], length=-1, dictionary=c.pointer(array())),
        array([None, KEYS], dictionary=c.pointer(array(released=True))),
        array([None, KEYS], dictionary=c.pointer(array([None, None, DATA]))),
        array([None, KEYS], dictionary=c.pointer(array(length=1))),
        array([None, (c.c_int32 * 2)(0, 2)], dictionary=c.pointer(array())),
        array([None, (c.c_int32 * 2)(0, -1)], dictionary=c.pointer(array())),
    ):
        refuses(of_texts, wrong, stream=False)
    refuses(schema(b"n"), array([None, None]), "number of buffers", stream=False)
    refuses(schema(b"n"), array([], length=-1), "negative", stream=False)
    assert Finder().find_array(Column(schema(b"n"), array([], length=3))).to_pylist() == [None] * 3


@pytest.mark.parametrize("kind", [b"U", b"Z"])
def test_malformed_large_columns(kind):
    for end in (-1, -(1 << 63)):
        refuses(schema(kind), array([None, (c.c_int64 * 3)(0, 18, end), DATA]), "negative", stream=False)


def test_malformed_streams():
    batch, chunk = record_batch(schema()), array([None], [array()])
    finder = Finder()
    for stream in (
        lambda: Chunks(None, chunk),
        lambda: Chunks(batch, chunk, get_schema=GET_SCHEMA()),
        lambda: Chunks(batch, chunk, get_next=GET_NEXT()),
        lambda: Chunks(batch, chunk, release=RELEASE_STREAM()),
        lambda: Chunks(batch, chunk, get_schema=keep(GET_SCHEMA(lambda *_: 5))),
        lambda: Chunks(batch, chunk, get_next=keep(GET_NEXT(lambda *_: 5))),
        lambda: Chunks(batch, chunk, get_next=keep(GET_NEXT(lambda *_: 5)), get_last_error=keep(GET_LAST_ERROR(lambda _: None))),
    ):
        for call in (finder.find_array, finder.rewrite_array):
            with pytest.raises(Exception):
                call(stream())
        with pytest.raises(Exception):
            pa.chunked_array(finder.find_stream(stream()))


def test_wrong_capsules():
    made, rows = schema(), array()
    right = Column(made, rows).__arrow_c_array__()

    class Given:
        def __init__(self, value):
            self.value = value

        def __arrow_c_array__(self, requested_schema=None):
            return self.value

    for wrong in (None, (), right[0], right[:1], (*right, right[0]), right[::-1], (right[0], right[0]), (None, right[1])):
        for call in (Finder().find_array, Finder().rewrite_array):
            with pytest.raises(Exception):
                call(Given(wrong))


@pytest.fixture(autouse=True)
def collected():
    yield
    gc.collect()
