"""A rewritten document still means the same: PO, reStructuredText, LaTeX and manual pages. See meaning.py."""

import io
import random
import re
import shutil
import subprocess

import polib
import pytest
from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser
from docutils.readers.standalone import Reader

import iriscan
from meaning import COUNT, LINKS, SEED, documents, prose, words


# PO.


def po_string(make, text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("\n", "\\n")
    if make.random() < 0.6:
        return f'"{escaped}"'
    # In several lines; a link may go over two of them.
    cuts = sorted(make.sample(range(len(escaped) + 1), min(2, len(escaped) + 1)))
    pieces = [escaped[i:j] for i, j in zip([0, *cuts], [*cuts, None], strict=True)]
    for i in range(len(pieces) - 1):
        if pieces[i].endswith("\\"):
            pieces[i], pieces[i + 1] = pieces[i][:-1], "\\" + pieces[i + 1]
    return "\n".join(['""', *(f'"{piece}"' for piece in pieces)])


def po_text(make):
    if make.random() < 0.3:
        return make.choice(LINKS)
    return make.choice(['say "{}"', "{}\n", "{}", "\t{}", "C:\\{}", "%s {}"]).format(prose(make))


def po_document(make):
    lines = ['msgid ""', 'msgstr ""', '"Content-Type: text/plain; charset=UTF-8\\n"', f'"X-Home: {make.choice(LINKS)}\\n"', ""]
    for number in range(make.randint(1, 4)):
        old = make.random() < 0.2
        entry = []
        if make.random() < 0.4 and not old:
            entry.append(f"# {prose(make)}")
        if make.random() < 0.3 and not old:
            entry.append(f"#. {prose(make)}")
        if make.random() < 0.3 and not old:
            entry.append("#, fuzzy")
            entry += [f"#| {line}" for line in f"msgid {po_string(make, po_text(make))}".split("\n")]
        body = []
        if make.random() < 0.3:
            body.append(f"msgctxt {po_string(make, po_text(make))}")
        body.append(f"msgid {po_string(make, po_text(make) + str(number) * make.randint(0, 1))}")
        if make.random() < 0.3:
            body.append(f"msgid_plural {po_string(make, po_text(make))}")
            body += [f"msgstr[{n}] {po_string(make, po_text(make))}" for n in range(2)]
        else:
            body.append(f"msgstr {po_string(make, po_text(make))}")
        body = "\n".join(body).split("\n")
        lines += entry + [f"#~ {line}" if old else line for line in body] + [""]
    return "\n".join(lines)


def po_entries(text):
    seen = []
    for entry in polib.pofile(text):
        strings = {
            "context": entry.msgctxt, "id": entry.msgid, "plural": entry.msgid_plural, "text": entry.msgstr,
            "old": entry.previous_msgid, "comment": entry.comment, "extracted": entry.tcomment,
        }  # fmt: skip
        strings |= {f"text {n}": text for n, text in entry.msgstr_plural.items()}
        kind = f"{entry.obsolete} {entry.flags} {entry.translated()}"
        for name, string in strings.items():
            # A string that is there stays, also if it is empty in another way.
            seen.append((f"{kind} {name} {string is None} {string == ''}", string or ""))
    return seen


def test_po():
    documents(po_document, po_entries, "po", identifiers=True)


def test_po_keys():
    """Without `identifiers`, no key changes."""

    def keys(text):
        return [(entry.msgctxt, entry.msgid, entry.msgid_plural, entry.previous_msgid) for entry in polib.pofile(text)]

    for number in range(SEED, SEED + COUNT):
        before = po_document(random.Random(number))
        for way in ({}, {"to": "iri"}):
            assert keys(iriscan.Finder(format="po", **way).rewrite(before)) == keys(before), number


# reStructuredText.


def rst_prose(make):
    link = make.choice(LINKS)
    inline = [
        f"`a{make.randint(0, 10**6)} <{link}>`_", f"`été <{link}>`__", f"``{link}``", "*a* **b**", f"*{link}*", "a_b", r"a\*b", "|x|", f"{link}",
        f"x\\ {link}", ":sub:`a`", f"`{link}`__" if make.random() < 0.05 else "a",
    ]  # fmt: skip
    parts = [prose(make), *(make.choice(inline) for _ in range(make.randint(0, 2))), words(make)]
    make.shuffle(parts)
    return " ".join(parts)


def width(text):
    return utils.column_width(text)


def pad(text, to):
    return text + " " * (to - width(text))


def rst_cells(make):
    """Rows of two cells."""

    def cell():
        return make.choice([prose(make), make.choice(LINKS), f"`a <{make.choice(LINKS)}>`__", words(make)])

    return [[cell(), cell()] for _ in range(make.randint(1, 3))]


def rst_grid(make):
    rows = rst_cells(make)
    widths = [max(width(row[i]) for row in rows) + 2 for i in range(2)]
    border = "+" + "+".join("-" * w for w in widths) + "+"
    lines = [border]
    for row in rows:
        lines.append("|" + "|".join(" " + pad(cell, w - 1) for cell, w in zip(row, widths, strict=True)) + "|")
        lines.append(border)
    return lines


def rst_simple(make):
    rows = rst_cells(make)
    widths = [max(width(row[i]) for row in rows) for i in range(2)]
    border = "  ".join("=" * w for w in widths)
    lines = [border]
    for i, row in enumerate(rows):
        lines.append("  ".join(pad(cell, w) for cell, w in zip(row, widths, strict=True)).rstrip())
        if i == 0 and len(rows) > 1 and make.random() < 0.5:
            lines.append(border)
        elif make.random() < 0.3 and i + 1 < len(rows):
            lines.append("")
    return [*lines, border]


def rst_title(make):
    title = prose(make, LINKS[:4])
    # The underline of a longer one is out of sight, and may become too short.
    while len(title.encode()) > 55:
        title = title[:-1].rstrip()
    sign = make.choice("=-~^")
    rule = sign * max(width(title), 4)
    return [rule, title, rule] if make.random() < 0.3 else [title, rule]


def rst_block(make):
    link = make.choice(LINKS)
    match make.randint(0, 15):
        case 0:
            return rst_grid(make)
        case 1:
            return rst_simple(make)
        case 2:
            return rst_title(make)
        case 3:
            return [f"- {rst_prose(make)}", f"- {rst_prose(make)}", "", f"  {rst_prose(make)}"]
        case 4:
            return [f"#. {rst_prose(make)}", f"#. {rst_prose(make)}"]
        case 5:
            return [f"| {rst_prose(make)}", f"| {rst_prose(make)}"]
        case 6:
            return ["::", "", f"    {prose(make)}", f"    {link}"]
        case 7:
            return [f".. image:: {link}", f"   :target: {make.choice(LINKS)}"]
        case 8:
            return [f".. note:: {rst_prose(make)}", "", *(f"   {line}" for line in rst_grid(make))]
        case 9:
            name = f"t{make.randint(0, 10**6)}"
            return [f"{name}_ {words(make)}", "", f".. _{name}: {link}"]
        case 10:
            return [f":field: {rst_prose(make)}", f":{words(make).replace(':', '')}: {link}"]
        case 11:
            return [f".. {rst_prose(make)}"]
        case 12:
            return ["term", f"  {rst_prose(make)}"]
        case 13:
            rows = make.choice([rst_grid, rst_simple])(make)
            return ["* " + rows[0], *(f"  {line}".rstrip() for line in rows[1:])]
        case _:
            return [rst_prose(make), make.choice(["", rst_prose(make)])]


def rst_document(make):
    lines = []
    for _ in range(make.randint(1, 4)):
        lines += [*rst_block(make), ""]
    return "\n".join(lines) + "\n"


SETTINGS = frontend.get_default_settings(Parser, Reader)
SETTINGS.report_level, SETTINGS.halt_level = 2, 5
SETTINGS.file_insertion_enabled = False


def rst_tree(text):
    SETTINGS.warning_stream = io.StringIO()
    tree, parser = utils.new_document("text", SETTINGS), Parser()
    parser.parse(f".. |x| replace:: y\n\n{text}", tree)
    tree.transformer.populate_from_components((Reader(), parser))
    tree.transformer.apply_transforms()
    if SETTINGS.warning_stream.getvalue():
        return None
    seen = []

    def see(node):
        if isinstance(node, nodes.Text):
            seen.append(("text", str(node)))
            return
        if isinstance(node, nodes.system_message):
            # A hint: the others are errors.
            return
        # An address in text is a reference, and what replaces it may be none.
        alone = isinstance(node, nodes.reference) and "name" not in node
        alone = alone and all(isinstance(child, nodes.Text) for child in node.children)
        if not alone:
            seen.append((node.tagname, ""))
            # Whether there is a target counts, and not which.
            for name in ("refuri", "uri"):
                if name in node and not isinstance(node, nodes.reference):
                    seen.append((name, node[name]))
        for child in node.children:
            see(child)
        if not alone:
            seen.append((f"end of {node.tagname}", ""))

    see(tree)
    return seen


def test_rst():
    documents(rst_document, rst_tree, "rst")


# LaTeX.

VERBATIM = ("verbatim", "lstlisting", "Verbatim")


class Tex:
    """What TeX reads of a document with its usual category codes, and with hyperref's commands for links."""

    def __init__(self, text):
        self.text, self.at, self.seen, self.depth = text, 0, [], 0

    def say(self, kind, text=""):
        self.seen.append((kind, text))

    def braces(self):
        """The balanced text up to the brace that closes it, without a meaning of any sign but braces."""
        start, depth = self.at, 0
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign == "}" and depth == 0:
                self.at += 1
                return self.text[start : self.at - 1]
            depth += {"{": 1, "}": -1}.get(sign, 0)
            self.at += 1
        self.say("error")
        return ""

    def argument(self):
        """The argument of a command for links in the argument of another one: its tokens are read already."""
        url, depth = "", 0
        while self.at < len(self.text):
            sign = self.text[self.at]
            self.at += 1
            if sign == "\\":
                url += self.text[self.at : self.at + 1]
                self.at += 1
            elif sign == "%":
                self.comment()
            elif sign == "#":
                self.say("parameter")
            elif sign == "}" and depth == 0:
                return url
            else:
                depth += {"{": 1, "}": -1}.get(sign, 0)
                url += sign
        self.say("error")
        return url

    def comment(self):
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        text, self.at = self.text[self.at : end], end
        return text

    def url(self):
        if self.depth:
            return self.argument()
        return self.braces().replace("\\%", "%").replace("\\#", "#").replace("\\&", "&").replace("\\_", "_")

    def command(self):
        name = re.compile(r"[A-Za-z]+|.?", re.DOTALL).match(self.text, self.at)[0]
        self.at += len(name)
        rest = self.text[self.at :]
        if name in ("_", "%", "#", "&", "$", "{", "}"):
            return self.say("text", name)
        if name in ("~", "^") and rest.startswith("{}"):
            self.at += 2
            return self.say("text", name)
        if name == "textbackslash" and rest.startswith("{}"):
            self.at += 2
            return self.say("text", "\\")
        if name in ("url", "href") and rest.startswith("{"):
            self.at += 1
            return self.say(name, self.url())
        if name == "verb":
            end = self.text.find(rest[0], self.at + 1)
            text, self.at = self.text[self.at + 1 : end], end + 1
            self.say("verb", text)
            return self.say("end of verb")
        block = re.match(r"\{(\w+)\}", rest)
        if name == "begin" and block and block[1] in VERBATIM:
            end = rest.find(f"\\end{{{block[1]}}}")
            if end < 0:
                return self.say("error")
            self.at += end + len(f"\\end{{{block[1]}}}")
            return self.say(block[1], rest[block.end() : end])
        return self.say("command " + name)

    def read(self):
        while self.at < len(self.text):
            sign = self.text[self.at]
            self.at += 1
            if sign == "\\":
                self.command()
            elif sign == "%":
                self.say("comment", self.comment())
            elif sign == "\n" and re.match(r"[ \t]*\n", self.text[self.at :]):
                self.say("paragraph")
            elif sign in "{}$&#^_":
                self.depth += {"{": 1, "}": -1}.get(sign, 0)
                self.say(sign)
            else:
                self.say("text", sign)
        return None if ("error", "") in self.seen else self.seen


def tex_tokens(text):
    return Tex(text).read()


def tex_text(text):
    return re.sub(r"([_%#&$])", r"\\\1", text).replace("~", "\\~{}")


def tex_inline(make, depth=0):
    link = make.choice(LINKS)
    text = tex_text(link)
    nested = re.sub(r"([%#])", r"\\\1", link)
    url = link if depth == 0 else nested
    choices = [
        f"\\url{{{url}}}", f"\\href{{{url}}}{{{words(make)}}}", text, f"({text})", f"${text}$", f"{text}$^2$",
        words(make), words(make), f"{{\\tt {text}}}", f"{{{text}}}", "$a_1$", f"\\emph{{{text}}}",
    ]  # fmt: skip
    if depth == 0:
        choices += [f"\\verb|{link}|", f"\\verb!a {link}!", f"\\url{{{nested}}}", f"{text}% {link}\n", f"% {link} & $\n", f"{text}&b"]
    if depth < 2:
        command = make.choice(["footnote", "section", "caption", "textbf"])
        choices += [f"\\{command}{{{tex_inline(make, depth + 1)}}}"] * 4
    return make.choice(choices)


def tex_document(make):
    lines = ["\\usepackage{hyperref}"]
    for _ in range(make.randint(1, 4)):
        match make.randint(0, 8):
            case 0:
                block = make.choice(VERBATIM)
                lines += [f"\\begin{{{block}}}", f"{prose(make)} % $ & _", f"\\end{{{block}}}"]
            case 1:
                lines += ["\\begin{tabular}{ll}", f"{tex_inline(make)} & {tex_inline(make)} \\\\", "\\end{tabular}"]
            case _:
                lines.append(" ".join(tex_inline(make) for _ in range(make.randint(1, 3))))
        if make.random() < 0.3:
            lines.append("")
    return "\n".join(lines) + "\n"


def test_latex():
    documents(tex_document, tex_tokens, "latex")


# Manual pages.


def man_document(make):
    lines = [".TH X 1", ".SH NAME", "x \\- y"]
    links = [*LINKS, "http://x.example/\\[u00E9]", "http://x.example/b\\-é", "http://x.example/\\:é", "http://x.example/\\fIé\\fP"]
    for _ in range(make.randint(2, 8)):
        text = prose(make, [link for link in links if "%" not in link]).replace("\\\\", "\\")
        lines.append(make.choice(["{}", ".B {}", ".I {}", ".SH {}", ".BR {} .", ".PP\n{}", ".TP\n.B x\n{}", '.\\" {}', "\\fB{}\\fP"]).format(text))
        if make.random() < 0.3:
            lines += [f".UR {make.choice(links)}", words(make), ".UE ."]
    return "\n".join(lines) + "\n"


def man_tree(text):
    """The macros and the texts that mandoc sees."""
    done = subprocess.run(["mandoc", "-T", "tree", "-K", "utf-8"], input=text.encode(), capture_output=True, check=False)
    seen = []
    for line in done.stdout.decode().split("\n"):
        if node := re.fullmatch(r"\s*(.*) \((\w+)\)(?: [*]?\d+:\d+.*)?", line):
            name, kind = node.groups()
            # Words of one line may be one argument or many: a text of a template may have spaces.
            seen.append(("text", name + " ") if kind == "text" else (f"{name} {kind}", ""))
    return seen


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="needs mandoc")
def test_man():
    documents(man_document, man_tree, "man")
