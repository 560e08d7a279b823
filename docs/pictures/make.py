#!/usr/bin/env python3
"""Makes the pictures of README.md and docs/, from real runs.

    cargo build --release -p iriscan-cli
    docs/pictures/make.py terminal       # terminal.svg: `iriscan find` in a terminal
    docs/pictures/make.py report         # report.png: `iriscan report` in Chromium
    docs/pictures/make.py comparison     # comparison.svg, and the table in docs/comparison.md

Without a name it makes all three. The first needs only Python; the second needs
`chromium`; the third needs cargo, Go with Debian's package golang-mvdan-xurls-dev,
`urlscan` (of PyPI) and `rg`. If a program is missing, it stops and changes nothing, so
that a picture never shows what was not run. cli/tests/it/pictures.rs compares the
pictures with what the program prints; report.png by the digest of its page,
report.sha256.
"""

import fcntl
import hashlib
import itertools
import json
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata
from xml.sax.saxutils import escape, quoteattr

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
IRISCAN = TARGET / "release" / "iriscan"

DOCUMENTS = ROOT / "testdata" / "documents"
FONT = "'DejaVu Sans Mono', 'Noto Sans Mono', Menlo, Consolas, monospace"


def need(name):
    """The path of a program, or the end."""
    path = shutil.which(name)
    if path is None:
        sys.exit(f"make.py: {name} is not installed; nothing was written")
    return path


# --- Terminal ---------------------------------------------------------------


def in_terminal(command, cwd, columns):
    """What `command` writes to a terminal so wide."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    env["TERM"] = "xterm-256color"
    child = subprocess.Popen(command, cwd=cwd, env=env, stdin=its, stdout=its)
    os.close(its)
    out = b""
    while True:
        # On Linux, reading fails once the other side is closed.
        try:
            select.select([ours], [], [])
            more = os.read(ours, 65536)
        except OSError:
            break
        if not more:
            break
        out += more
    os.close(ours)
    if child.wait() != 0:
        sys.exit(f"make.py: {command} failed")
    return out.decode().replace("\r\n", "\n")


ESCAPE = re.compile(
    r"\x1b\[(?P<sgr>[0-9;]*)m|\x1b\]8;[^\x1b]*\x1b\\|(?P<isolate>[\u2066\u2068\u2069])"
)
LRI, FSI = "\u2066", "\u2068"
# Of the text, and of the colours of the table of 256 that cli/src/printers/colors.rs uses.
COLOURS = {
    None: "#d4d7dd", "31": "#0087af", "64": "#5f8700", "133": "#af5faf", "166": "#d75f00",
    "167": "#d75f5f",
}


def runs(line):
    """(text, colour, classes, isolate) for each stretch of one line in one style.

    `isolate` is 0, or the number of the isolate of right-to-left text it stands in.
    """
    colour, classes, isolate, isolates = None, frozenset(), 0, 0
    at = 0
    for found in ESCAPE.finditer(line):
        if text := line[at : found.start()]:
            yield text, colour, classes, isolate
        at = found.end()
        if found["isolate"] in (LRI, FSI):
            isolates += 1
            isolate = isolates
        elif found["isolate"]:
            isolate = 0
        sgr = (found["sgr"] or "0").replace("38;5;", "") if found["sgr"] is not None else ""
        for code in filter(None, sgr.split(";")):
            if code == "0":
                colour, classes = None, frozenset()
            elif code in ("1", "2", "4"):
                classes |= {{"1": "b", "2": "d", "4": "u"}[code]}
            elif code == "22":
                classes -= {"b", "d"}
            elif code in COLOURS:
                colour = code
            else:
                sys.exit(f"make.py: no picture of the sequence {found[0]!r} yet")
    if text := line[at:]:
        yield text, colour, classes, isolate


def columns(text):
    """How many columns a terminal gives to the text."""
    width = 0
    for c in text:
        if unicodedata.category(c) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(c) in "WF" else 1
    return width


def wide(c):
    return unicodedata.east_asian_width(c) in "WF"


def pieces(text):
    """The text, divided where narrow characters meet wide ones: each keeps its columns."""
    piece = ""
    for c in text:
        if piece and wide(c) != wide(piece[0]):
            yield piece
            piece = ""
        piece += c
    if piece:
        yield piece


def is_rtl(text):
    """Whether its first strong character is right-to-left."""
    for c in text:
        if unicodedata.bidirectional(c) in ("R", "AL"):
            return True
        if unicodedata.bidirectional(c) == "L":
            return False
    return False


def in_order(line):
    """(text, colour, classes, whether it is read from the right) as they stand from the left."""
    for isolate, group in itertools.groupby(runs(line), key=lambda run: run[3]):
        group = list(group)
        rtl = isolate > 0 and is_rtl("".join(run[0] for run in group))
        for text, colour, classes, _ in reversed(group) if rtl else group:
            yield text, colour, classes, rtl


def terminal_svg(screen, title):
    """An SVG of the screen: text that can be selected, each run in its columns."""
    cell, height, margin, bar = 8.4, 21, 16, 30
    lines = screen.rstrip("\n").split("\n")
    wanted = max(columns(ESCAPE.sub("", line)) for line in lines)
    w, h = round(wanted * cell + 2 * margin), round(len(lines) * height + 2 * margin + bar)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
        f'role="img" aria-label={quoteattr(title)}>',
        f"<title>{escape(title)}</title>",
        "<style>"
        f"text{{font:14px {FONT};white-space:pre;unicode-bidi:isolate;fill:{COLOURS[None]}}}"
        ".b{font-weight:bold}.d{opacity:.6}.u{text-decoration:underline}"
        + "".join(f".c{code}{{fill:{value}}}" for code, value in COLOURS.items() if code)
        + "</style>",
        f'<rect width="{w}" height="{h}" rx="8" fill="#1b1e24"/>',
    ]
    for i, colour in enumerate(("#f0717b", "#e9b85f", "#8ec772")):
        out.append(f'<circle cx="{margin + 6 + 20 * i}" cy="18" r="6" fill="{colour}"/>')
    for row, line in enumerate(lines):
        y, column = bar + margin + row * height + 10, 0
        for text, colour, classes, rtl in in_order(line):
            names = sorted(classes) + ([f"c{colour}"] if colour else [])
            for piece in [text] if rtl else pieces(text):
                width = columns(piece)
                x = margin + column * cell
                column += width
                if not piece.strip():
                    continue
                # The text is fitted to its columns, whichever font there is.
                attributes = f'x="{x:.1f}" y="{y}" textLength="{width * cell:.1f}"'
                attributes += ' lengthAdjust="spacingAndGlyphs"'
                if names:
                    attributes += f' class="{" ".join(names)}"'
                if rtl:
                    attributes += ' direction="rtl" text-anchor="end"'
                out.append(f"<text {attributes}>{escape(piece)}</text>")
    out.append("</svg>\n")
    return "\n".join(out)


def terminal():
    screen = "$ iriscan find languages.txt\n"
    screen += in_terminal([IRISCAN, "find", "languages.txt"], DOCUMENTS, 100)
    svg = terminal_svg(screen, "iriscan find in a terminal: each link in its line, with its URI")
    (HERE / "terminal.svg").write_text(svg)


# --- Report -----------------------------------------------------------------


def screenshot(page, picture, width, height):
    """What Chromium shows of a page; without its calls home."""
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [need("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--disable-sync", "--hide-scrollbars", f"--user-data-dir={profile}",
             f"--window-size={width},{height}", f"--screenshot={picture}", page.as_uri()],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip


def report():
    need("chromium")
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "links.html"
        names = ["languages.txt", "oshirase.shift_jis.txt"]
        subprocess.run([IRISCAN, "report", "-o", page, *names], cwd=DOCUMENTS, check=True)
        screenshot(page, HERE / "report.png", 1000, 960)
        digest = hashlib.sha256(page.read_bytes()).hexdigest()
        (HERE / "report.sha256").write_text(digest + "\n")


# --- Comparison -------------------------------------------------------------


def paragraph():
    """The text, and in each of its lines the spans of bytes that its writer meant."""
    text, meant = b"", []
    for line in (HERE / "paragraph.txt").read_bytes().splitlines(keepends=True):
        if line.startswith(b"#"):
            continue
        parts, at = line.split(b"|"), len(text)
        ends = list(itertools.accumulate(map(len, parts), initial=at))
        meant.append([(ends[i], ends[i + 1]) for i in range(1, len(parts), 2)])
        text += b"".join(parts)
    return text, meant


def output(command, text=None, **more):
    """Standard output of a program that succeeds."""
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True, **more).stdout


def numbers(lines):
    """Spans, from lines of two numbers."""
    return [tuple(map(int, line.split())) for line in lines.splitlines()]


def placed(links, text):
    """Spans of links that a program names in their order."""
    spans, at = [], 0
    for link in links:
        at = text.index(link, at)
        spans.append((at, at + len(link)))
        at += len(link)
    return spans


def with_iriscan(text, _):
    records = output([IRISCAN, "find", "--json"], text).splitlines()
    version = output([IRISCAN, "--version"]).decode().split()[1]
    return version, [(r["start"], r["end"]) for r in map(json.loads, records)]


def with_linkify(_, path):
    out = output(["cargo", "run", "-q", "--example", "linkify", "--", path], cwd=ROOT / "peers")
    lock = (ROOT / "peers/Cargo.lock").read_text()
    version = re.search(r'name = "linkify"\nversion = "([^"]+)"', lock)[1]
    return version, numbers(out)


def with_xurls(text, _):
    # Debian's source package, in its place; no module is fetched.
    env = os.environ | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode"}
    out = output([need("go"), "run", HERE / "xurls.go"], text, env=env)
    package = "golang-mvdan-xurls-dev"
    version = output(["dpkg-query", "-W", "-f", "${Version}", package]).decode()
    return version.split("-")[0], numbers(out)


def with_urlscan(text, path):
    urlscan = need("urlscan")
    version = output([urlscan, "--version"]).decode().split()[-1]
    return version, placed(output([urlscan, "-n", path]).splitlines(), text)


def with_rg(_, path):
    rg = need("rg")
    version = output([rg, "--version"]).decode().split()[1]
    spans = []
    for line in map(json.loads, output([rg, "--json", r"https?://\S+", path]).splitlines()):
        if line["type"] == "match":
            at = line["data"]["absolute_offset"]
            spans += [(at + m["start"], at + m["end"]) for m in line["data"]["submatches"]]
    return version, spans


TOOLS = {
    "iriscan": with_iriscan,
    "linkify": with_linkify,
    "xurls": with_xurls,
    "urlscan": with_urlscan,
    "rg": with_rg,
}


def marked(text, start, end, spans):
    """(text, whether it is marked) for each stretch from start to end."""
    for a, b in spans:
        yield text[start:a].decode(), False
        yield text[a:b].decode(), True
        start = b
    yield text[start:end].decode(), False


def answers(text, meant, spans):
    """For each line: its bounds, and [(spans, tools)] for each different answer."""
    start = 0
    for line, wanted in zip(text.splitlines(keepends=True), meant, strict=True):
        end = start + len(line)
        groups = {tuple(wanted): []}
        for tool, found in spans.items():
            here = tuple(span for span in found if start <= span[0] < end)
            groups.setdefault(here, []).append(tool)
        yield start, end - 1, list(groups.items())
        start = end


def comparison_svg(text, cases, title):
    """For each line a block: each answer once, with the tools that gave it."""
    row, gap, labels, margin = 24, 14, 250, 16
    rows = sum(sum(bool(tools) for _, tools in groups) for *_, groups in cases)
    w, h = 960, round(rows * row + (len(cases) - 1) * gap + 2 * margin)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
        f'role="img" aria-label={quoteattr(title)}>',
        f"<title>{escape(title)}</title>",
        "<style>"
        f"text{{font:14px {FONT};white-space:pre;fill:#30343b}}"
        ".l{font-family:sans-serif}.y{fill:#15692c}.n{fill:#b3261e}"
        ".m{text-decoration:underline;font-weight:bold}"
        "</style>",
        f'<rect width="{w}" height="{h}" rx="8" fill="#fff"/>',
    ]
    y = margin + 17
    for i, (start, end, groups) in enumerate(cases):
        if i:
            line = y - 17 - gap / 2
            out.append(f'<path d="M{margin} {line}H{w - margin}" stroke="#d5d9e0"/>')
        for j, (spans, tools) in enumerate(groups):
            if not tools:
                continue
            right = "yn"[j > 0]
            label = ("✓ " if j == 0 else "✗ ") + ", ".join(tools)
            out.append(f'<text x="{margin}" y="{y}" class="l {right}">{escape(label)}</text>')
            rtl = is_rtl(text[start:end].decode())
            side = ' direction="rtl" text-anchor="end"' if rtl else ""
            parts = "".join(
                f'<tspan class="{right} m">{escape(part)}</tspan>' if mark else escape(part)
                for part, mark in marked(text, start, end, spans)
            )
            out.append(f'<text x="{labels}" y="{y}"{side}>{parts}</text>')
            y += row
        y += gap
    out.append("</svg>\n")
    return "\n".join(out)


def quoted(text):
    """As code, so that no page makes links of its own; it moves no text beside it."""
    return f"<bdi>`{text.decode()}`</bdi>"


def comparison_table(text, cases, versions):
    """The same as Markdown."""
    tools = list(versions)
    out = ["| | " + " | ".join(f"{tool} {versions[tool]}" for tool in tools) + " |"]
    out.append("|---" * (len(tools) + 1) + "|")
    good = dict.fromkeys(tools, 0)
    notes = []
    for number, (start, end, groups) in enumerate(cases, 1):
        right = groups[0][1]
        for tool in right:
            good[tool] += 1
        cells = ["yes" if tool in right else "no" for tool in tools]
        out.append(f"| {number}. {quoted(text[start:end])} | " + " | ".join(cells) + " |")
        for spans, others in groups[1:]:
            links = ", ".join(quoted(text[a:b]) for a, b in spans) or "nothing"
            notes.append(f"- {number}, {', '.join(others)}: {links}")
    total = " | ".join(f"{good[tool]} of {len(cases)}" for tool in tools)
    out += [f"| as meant | {total} |", "", "These programs marked something else than was meant:", ""]
    return "\n".join(out + notes) + "\n"


def comparison():
    text, meant = paragraph()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "paragraph.txt"
        path.write_bytes(text)
        answered = {tool: run(text, path) for tool, run in TOOLS.items()}
    cases = list(answers(text, meant, {tool: spans for tool, (_, spans) in answered.items()}))
    versions = {tool: version for tool, (version, _) in answered.items()}
    page = HERE.parent / "comparison.md"
    begin, finish = "<!-- Written by docs/pictures/make.py -->\n", "<!-- End -->\n"
    before, rest = page.read_text().split(begin)
    behind = rest.split(finish)[1]
    table = comparison_table(text, cases, versions)
    page.write_text(before + begin + "\n" + table + "\n" + finish + behind)
    title = "What five programs mark as links in one paragraph of ten languages"
    (HERE / "comparison.svg").write_text(comparison_svg(text, cases, title))


PICTURES = {"terminal": terminal, "report": report, "comparison": comparison}

if __name__ == "__main__":
    for name in sys.argv[1:] or PICTURES:
        if name not in PICTURES:
            sys.exit(__doc__)
        PICTURES[name]()
