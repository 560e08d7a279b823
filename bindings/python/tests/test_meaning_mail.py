"""A rewritten message still means the same to Python's `email`, and a mailbox to its `mailbox`. See meaning.py."""

import base64
import email
import email.policy
import mailbox
import quopri
import random
import re

import iriscan
from conftest import ROOT
from meaning import COUNT, SEED, TEXTS, compare, documents, same_between, ways, words

LINKS = [
    "http://x.example/é", "https://bücher.example/ß?q=ü#ß", "http://x.example/a", "http://x.example/%C3%A9", "mailto:a@x.example",
    "http://x.example/" + "lang/" * 16 + "ü", "http://x.example/?a=é&b=1", "http://x.example/=3D?é", "http://x.example/",
    "http://x.example/" + "sehr/" * 192 + "é",
]  # fmt: skip
# What may end a line, a part or a message.
BORDERS = ["--b", "-", "--", "From ", "From a@b.example Sat Jan  3 01:05:34 1996", "a\nb", "a\r\n\r\nb", "\nX: y", "--c--", ".", ">", "=", "=3D", " ", "=?utf-8?q?a?=", "x, y; z", "\t"]
MAIL_TEXTS = [*TEXTS, *BORDERS]
# How the parts of a message are written. None: nothing is said of it.
CHARSETS = ["utf-8", "utf-8", "iso-8859-1", "us-ascii", "iso-2022-jp", None]
TRANSFERS = ["7bit", "8bit", "quoted-printable", "base64", None]


def text_lines(make):
    """Lines of running text."""
    lines = []
    for _ in range(make.randint(1, 5)):
        line = make.choice(
            ["{}", "{}", "a {}", "({})", "{} b", "<{}>", "> {}", "a=b {}", "é {}.", "-{}", "{} ", "From x {}", ">From {}", "-- ", "", ".", "--bb",
             "<{}>--b", "{}, {}", "<{}>From a@b.example Sat Jan  3 01:05:34 1996", "\"{}\"-", "日 {}"]
        )  # fmt: skip
        links = iter(lambda: make.choice(LINKS), None)
        lines.append(re.sub(r"\{\}", lambda _: next(links), line))
    return lines


def encoded_word(make, text):
    if make.random() < 0.5:
        return f"=?utf-8?B?{base64.b64encode(text.encode()).decode()}?="
    return f"=?utf-8?Q?{quopri.encodestring(text.encode(), header=True).decode().replace('?', '=3F')}?="


def fields(make):
    """Fields of a head, but for those of its content."""
    out = ["From: a <a@x.example>", f"Message-ID: <{make.randint(0, 10**9)}@x.example>"]
    for _ in range(make.randint(0, 5)):
        link = make.choice(LINKS)
        name = make.choice(["Subject", "Comments", "X-Link", "List-Unsubscribe", "List-Help", "Content-Location", "To", "Archived-At", "References", "Received"])
        value = make.choice(
            ["{}", "a {}", "<{}>", "a\n {}", "{}\n b", "a\n\t{}\n  c", "<{}>, <mailto:b@x.example>", "=", "é {}", "\n {}", "{}\n {}", "a; b={}", "(c {}) d"]
        ).replace("{}", link)  # fmt: skip
        if name == "Content-Location":
            # A reference and nothing else, in which folds are no white space.
            cut = make.randint(0, len(link))
            value = make.choice([link, f"\n {link}", f"{link[:cut]}\n {link[cut:]}"])
        elif make.random() < 0.2:
            value = "a " + encoded_word(make, f"ü {link[:30]}")
        out.append(f"{name}: {value}")
    make.shuffle(out)
    return out


def one_part(make, head):
    """A part with a text."""
    lines = text_lines(make)
    charset, transfer = make.choice(CHARSETS), make.choice(TRANSFERS)
    kind, more = "text/plain", ""
    match make.randint(0, 9):
        case 0:
            kind, lines = "text/html", ["<p>", *(f'<a href="{make.choice(LINKS)}">{words(make)}</a>' for _ in range(2)), "</p>"]
        case 1:
            kind, lines = "application/octet-stream", ["\x01\x02 " + make.choice(LINKS)]
        case 2 | 3 | 4:
            more = make.choice(["; format=flowed", "; format=flowed; delsp=yes", '; name="http://x.example/a"'])
            lines = [line + " " if make.random() < 0.5 else line for line in lines]
    text = "\n".join(lines) + "\n"
    if make.random() < 0.1 and "flowed" not in more:
        text = text.rstrip("\n")
    data = text.encode(charset or "utf-8", "replace")
    if transfer == "base64":
        data = base64.encodebytes(data) if make.random() < 0.8 else base64.b64encode(data)
    elif transfer == "quoted-printable":
        data = quopri.encodestring(data)
    elif transfer == "7bit":
        data = data.replace(b"\xc3", b"").decode("ascii", "replace").replace("\ufffd", "").encode()
    head = [*head]
    if kind != "text/plain" or charset or more or make.random() < 0.5:
        charset = f'; charset="{charset}"' if charset else ""
        head.insert(make.randint(0, len(head)), f"Content-Type: {kind}{charset}{more}")
    if transfer:
        head.append(f"Content-Transfer-Encoding: {transfer}")
    return "\n".join(head).encode() + b"\n\n" + data


def message(make, depth=0, head=None):
    head = fields(make) if head is None else head
    if depth > 2 or make.random() < 0.5:
        return one_part(make, head)
    if make.random() < 0.2:
        return "\n".join([*head, "Content-Type: message/rfc822"]).encode() + b"\n\n" + message(make, depth + 1)
    border = "b" + str(depth) * make.randint(0, 1)
    kind = make.choice(["mixed", "alternative", "related"])
    data = "\n".join([*head, f'Content-Type: multipart/{kind}; boundary="{border}"']).encode() + b"\n\npreamble http://x.example/\n"
    for _ in range(make.randint(1, 3)):
        place = ["Content-Location: " + make.choice(LINKS[:4])] if make.random() < 0.3 else []
        data += f"--{border}\n".encode() + message(make, depth + 1, place) + b"\n"
    return data + f"--{border}--\nepilogue\n".encode()


def mail_document(make):
    data = message(make)
    return data.replace(b"\n", b"\r\n") if make.random() < 0.5 else data


def flowed(text, delsp):
    """The paragraphs of a flowed text with their depths of quotes (RFC 3676)."""
    seen, soft = [], None
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    for number, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(">"))
        line = line[depth:].removeprefix(" ")
        if soft != depth:
            seen.append((f"paragraph {depth}", ""))
        soft = depth if line.endswith(" ") and line != "-- " else None
        goes_on = soft is not None and number + 1 < len(lines)
        seen.append(("text", line[:-1] if delsp and goes_on else line))
    return seen


def see_message(data):
    """Each part of a message: its fields, what its content is, and its text."""
    seen = []
    found = email.message_from_bytes(data, policy=email.policy.compat32)
    for part in found.walk():
        seen.append((f"{part.get_content_type()} {part.get_params()} {part.get_boundary()} {[str(d) for d in part.defects]}", ""))
        if part.get_unixfrom():
            seen.append(("from", part.get_unixfrom()))
        for name, value in part.raw_items():
            value = str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            folds = r"\s+" if name == "Content-Location" else r"\r?\n"
            seen.append((f"field {name}", re.sub(folds, "", value)))
        if part.is_multipart():
            seen.append((f"{part.preamble!r} {part.epilogue!r}", ""))
            continue
        payload = part.get_payload(decode=True)
        charset = part.get_content_charset() or "utf-8"
        try:
            text = payload.decode("utf-8" if charset == "us-ascii" else charset, "replace")
        except LookupError:
            text = payload.decode("latin-1")
        if part.get_param("format") == "flowed":
            seen += flowed(text, part.get_param("delsp") == "yes")
        else:
            seen.append(("text", text.replace("\r\n", "\n")))
    return seen


def longest(data):
    return max(len(line) for line in re.split(rb"\r?\n", data))


def kept(finder):
    def rewrite(data):
        after = finder.rewrite_mail(data, even_signed=True)
        assert longest(after) <= max(998, longest(data)), f"a line is too long\n{data}\n-----\n{after}"
        return after

    return rewrite


def test_mail():
    documents(mail_document, see_message, None, same_between, MAIL_TEXTS, kept)


def test_mailboxes(tmp_path):
    """A mailbox has as many messages as before, and each means the same."""
    source, target = tmp_path / "a.mbox", tmp_path / "b.mbox"
    finders = [(name, iriscan.Finder(**way)) for name, way in ways(MAIL_TEXTS).items()]
    for number in range(SEED, SEED + COUNT // 20):
        make = random.Random(number)
        box = b""
        for _ in range(make.randint(1, 4)):
            text = re.sub(rb"(?m)^From ", b">From ", message(make).replace(b"\r\n", b"\n"))
            box += b"From a@b.example Sat Jan  3 01:05:34 1996\n" + text + b"\n\n"
        source.write_bytes(box)
        for name, finder in make.sample(finders, 2):
            finder.rewrite_file(source, target)
            before, after = (list(mailbox.mbox(path, create=False)) for path in (source, target))
            assert len(before) == len(after), f"mailbox {number}: {name}"
            for old, new in zip(before, after, strict=True):
                reads = {b"before": see_message(old.as_bytes()), b"after": see_message(new.as_bytes())}
                compare(reads.get, b"before", [(f"mailbox {number}: {name}", lambda _: b"after")], same_between)


FOLDERS = [ROOT / "testdata" / "mail", *(ROOT.parent / "shared" / "corpora").glob("mail-*")]


def test_real_messages():
    """Real messages. Their links may go over lines, so only what is not text is compared."""
    finders = [(name, kept(iriscan.Finder(**way))) for name, way in ways(MAIL_TEXTS).items()]
    for path in (path for folder in FOLDERS for path in sorted(folder.rglob("*")) if path.suffix in (".eml", "")):
        if path.is_file() and path.stat().st_size < 100_000:
            data = path.read_bytes()
            compare(see_message, data, random.Random(path.name).sample(finders, 4), lambda before, after: True)
