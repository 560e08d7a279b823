"""Rewriting files."""

import _thread
import io
import os
import signal
import stat
import subprocess
import sys
import time

import pytest

import iriscan
from iriscan import Finder

OLD = "siehe http://bücher.example/ü\r\n".encode()
NEW = b"siehe http://xn--bcher-kva.example/%C3%BC\r\n"


def test_paths(tmp_path):
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_bytes(OLD * 50_000)
    done = Finder(charset="utf-8").rewrite_file(source, os.fspath(target))
    assert done == (50_000, 50_000, 0, "UTF-8", 0, 0)
    assert target.read_bytes() == NEW * 50_000
    assert sorted(tmp_path.iterdir()) == [source, target]
    # In place.
    os.chmod(source, 0o640)
    iriscan.rewrite_file(source, source)
    assert source.read_bytes() == NEW * 50_000
    assert stat.S_IMODE(source.stat().st_mode) == 0o640


def test_permissions_of_a_new_file_are_the_usual_ones(tmp_path):
    (tmp_path / "usual").write_bytes(b"")
    iriscan.rewrite_file(io.BytesIO(OLD), tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_symbolic_link_stays(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(OLD)
    link.symlink_to(file)
    iriscan.rewrite_file(link, link)
    assert link.is_symlink() and file.read_bytes() == NEW


def test_file_objects():
    target = io.BytesIO()
    assert iriscan.rewrite_file(io.BytesIO(OLD), target).changed == 1
    assert target.getvalue() == NEW

    class Partial(io.RawIOBase):
        out = b""

        def writable(self):
            return True

        def write(self, data):
            self.out += bytes(data[:7])
            return len(data[:7])

    partial = Partial()
    iriscan.rewrite_file(io.BytesIO(OLD), partial)
    assert partial.out == NEW
    with pytest.raises(TypeError):
        iriscan.rewrite_file(io.StringIO("text"), io.BytesIO())


def test_a_pipe_is_written_to(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE)
    iriscan.rewrite_file(io.BytesIO(OLD), fifo)
    assert reader.communicate()[0] == NEW


class Failing(io.BytesIO):
    def read(self, size=-1):
        data = super().read(size)
        if not data:
            raise OSError("broken")
        return data


def test_an_error_leaves_the_target(tmp_path):
    target = tmp_path / "target"
    target.write_bytes(b"old")
    with pytest.raises(OSError, match="broken"):
        iriscan.rewrite_file(Failing(OLD), target)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]
    with pytest.raises(FileNotFoundError):
        iriscan.rewrite_file(tmp_path / "missing", target)
    assert target.read_bytes() == b"old"


class Interrupting(io.BytesIO):
    """Interrupts the program while it is read."""

    def read(self, size=-1):
        if self.tell() > 1_000_000:
            _thread.interrupt_main()
        return super().read(size)


class Answers:
    """A reader whose `read` returns these, one after the other."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def read(self, size=-1):
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.mark.parametrize(
    ("answers", "error", "message"),
    [
        # Nothing yet, as a file that does not block says it. More may come.
        ((OLD, None, OLD, b""), BlockingIOError, "no bytes yet"),
        ((None, b""), BlockingIOError, "no bytes yet"),
        ((OLD, ""), TypeError, "str, not bytes; open it in binary mode"),
        (("",), TypeError, "str, not bytes"),
        (("text", ""), TypeError, "str, not bytes"),
        ((OLD, 0), TypeError, "int, not bytes"),
        ((OLD, False), TypeError, "bool, not bytes"),
        ((OLD, []), TypeError, "list, not bytes"),
        ((OLD, ValueError("closed")), ValueError, "closed"),
    ],
)
def test_only_empty_bytes_are_the_end(tmp_path, answers, error, message):
    target = tmp_path / "target"
    target.write_bytes(b"old")
    with pytest.raises(error, match=message):
        iriscan.rewrite_file(Answers(*answers), target)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_all_bytes_like_objects_are_read(tmp_path):
    import array

    wide = array.array("H", OLD + b" " * (len(OLD) % 2))
    for chunks in ([bytearray(OLD), memoryview(b"")], [memoryview(OLD), bytearray()], [OLD * 100_000, b""]):
        target = io.BytesIO()
        iriscan.rewrite_file(Answers(*chunks), target)
        assert target.getvalue() == bytes(chunks[0]).replace(OLD, NEW)
    with pytest.raises(TypeError):
        iriscan.rewrite_file(Answers(wide, b""), io.BytesIO())


def test_a_pipe_that_has_nothing_yet_is_no_end(tmp_path):
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    target = tmp_path / "target"
    target.write_bytes(b"old")
    with open(reading, "rb", buffering=0) as source, open(writing, "wb", buffering=0) as other:
        other.write(OLD)
        with pytest.raises(BlockingIOError):
            iriscan.rewrite_file(source, target)
    assert target.read_bytes() == b"old"


def test_a_raw_target_that_takes_nothing_is_an_error():
    class Full(io.RawIOBase):
        def writable(self):
            return True

        def write(self, data):
            return None

    with pytest.raises(BlockingIOError, match="takes no more"):
        iriscan.rewrite_file(io.BytesIO(OLD), Full())


def test_an_interrupt_leaves_the_target(tmp_path):
    target = tmp_path / "target"
    target.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        iriscan.rewrite_file(Interrupting(OLD * 500_000), target)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


PROGRAM = """
import iriscan, sys
print("ready", flush=True)
while True:
    iriscan.rewrite_file(sys.argv[1], sys.argv[2])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="signals of POSIX")
@pytest.mark.parametrize("delay", [0.05, 0.13, 0.3])
def test_a_signal_leaves_the_target_whole(tmp_path, delay):
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(OLD * 100_000)
    target.write_bytes(b"old")
    command = [sys.executable, "-P", "-c", PROGRAM, source, target]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    program.stdout.readline()
    time.sleep(delay)
    program.send_signal(signal.SIGINT)
    assert b"KeyboardInterrupt" in program.communicate(timeout=30)[1]
    assert target.read_bytes() in (b"old", NEW * 100_000)
    assert sorted(tmp_path.iterdir()) == [source, target]


def test_a_file_in_text_mode_is_refused(tmp_path):
    path = tmp_path / "file.txt"
    path.write_bytes(OLD)
    finder = Finder()
    with open(path, encoding="utf-8") as text:
        for call in (
            lambda: finder.find_file(text),
            lambda: finder.iter_file(text),
            lambda: finder.rewrite_file(text, io.BytesIO()),
            lambda: finder.rewrite_file(path, io.StringIO()),
            lambda: iriscan.find(text),
        ):
            with pytest.raises(TypeError, match="binary mode"):
                call()
    for call, advice in (
        (lambda: iriscan.find(path), "use find_file"),
        (lambda: finder.find_mail("text"), "encode it first"),
        (lambda: iriscan.find(5), "not int$"),
    ):
        with pytest.raises(TypeError, match=advice):
            call()
    assert path.read_bytes() == OLD


@pytest.mark.parametrize("charset", ["utf-8", "utf-16-le", "shift_jis"])
def test_links_of_a_file(tmp_path, charset):
    text = "見て http://例え.jp/道 。\r\n\r\n" * 20_000
    data = text.encode(charset)
    path = tmp_path / "file.txt"
    path.write_bytes(data)
    finder, calls = Finder(charset=charset), []
    links = finder.find_file(path, progress=lambda *call: calls.append(call), positions=True)
    assert links == finder.find(data, positions=True)
    assert [link.asdict("start", "end", "iri") for link in links] == [
        link.asdict("start", "end", "iri") for link in finder.find(data)
    ]
    assert [(link.line, link.column) for link in links] == [(2 * i + 1, 4) for i in range(20_000)]
    assert all(text[link.chars_start : link.chars_end] == link.text for link in links[::100])
    # The last call is that of the whole file.
    assert calls[-1] == (len(data), len(data)) and len(calls) == -(-len(data) // 2**18)
    for reader in (open(path, "rb"), open(path, "rb", buffering=0), io.BytesIO(data)):
        with reader:
            calls.clear()
            some = finder.iter_file(reader, progress=lambda *call: calls.append(call), positions=True)
            assert list(some) == links and calls[-1] == (len(data), len(data))
    assert iriscan.find_file(path, charset=charset) == finder.find(data)


def test_progress_without_a_size(tmp_path):
    class Stream(io.BufferedIOBase):
        def __init__(self, *chunks):
            self.chunks = list(chunks)

        def read(self, size=-1):
            return self.chunks.pop(0) if self.chunks else b""

    calls = []
    links = iriscan.iter_file(
        Stream(b"http://a.exam", b"ple/ "), progress=lambda *call: calls.append(call)
    )
    assert [link.iri for link in links] == ["http://a.example/"]
    # Without a name, the first bytes decide what it is.
    assert calls == [(18, None)]
    stream = Stream(b"http://a.exam", b"ple/ ")
    stream.name = "a.txt"
    calls.clear()
    assert len(iriscan.find_file(stream, progress=lambda *call: calls.append(call))) == 1
    assert calls == [(13, None), (18, None)]

    def stop(read, size):
        raise KeyboardInterrupt

    path = tmp_path / "file.txt"
    path.write_bytes(OLD)
    with pytest.raises(KeyboardInterrupt):
        iriscan.find_file(path, progress=stop)
    with pytest.raises(FileNotFoundError):
        iriscan.find_file(tmp_path / "missing")


def test_memory_does_not_grow_with_a_file(tmp_path):
    path = tmp_path / "file.txt"
    with path.open("wb") as file:
        for _ in range(64):
            file.write((b"x" * 79 + b"\n") * 13_000 + b"http://a.example/\n")
    # The size of the process, in KiB.
    script = (
        "import resource, sys, iriscan\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "iriscan.find_file(sys.argv[2]); before = peak()\n"
        "print(len(iriscan.find_file(sys.argv[1])), peak() - before)"
    )
    small = tmp_path / "small.txt"
    small.write_bytes(OLD * 20_000)
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, path, small], capture_output=True, check=True
    )
    links, growth = map(int, done.stdout.split())
    assert links == 64 and growth < 16 * 1024 < path.stat().st_size // 1024


def test_an_unchanged_file_stays(tmp_path):
    path, twin, link = tmp_path / "file", tmp_path / "twin", tmp_path / "link"
    path.write_bytes(b"http://a.example/ stays\n" * 20_000)
    os.link(path, twin)
    link.symlink_to(path)
    before = path.stat()
    for source, target in [(path, path), (path, twin), (link, path), (path, os.fspath(path))]:
        assert iriscan.rewrite_file(source, target).links == 20_000
    assert os.path.samefile(path, twin) and path.stat().st_mtime_ns == before.st_mtime_ns
    assert sorted(tmp_path.iterdir()) == [path, link, twin]
    # Another file is written though nothing changes, and one that changes is replaced.
    other = tmp_path / "other"
    iriscan.rewrite_file(path, other)
    assert other.read_bytes() == path.read_bytes() and not os.path.samefile(path, other)
    path.write_bytes(OLD)
    assert iriscan.rewrite_file(path, path).changed == 1
    assert (path.read_bytes(), twin.read_bytes()) == (NEW, OLD)
