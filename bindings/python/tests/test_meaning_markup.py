"""Rewritten documents still mean the same to other readers: style sheets, calendars, contacts, wikitext, Org, BBCode and logs.
See meaning.py.
"""

import html
import json
import logging
import re
import shutil
import subprocess

import bbcode
import icalendar
import mwparserfromhell
import orgparse
import pytest
import tinycss2
import vobject

from meaning import LINKS, documents, prose, same_between, words

# What may end a line, a value or a tag, alone and with other signs.
SIGNS = ["", "x", "<é>", "a;b,c:d", "\"'", "\\", "[a](b)", "{{a}}|b", "[{n}: {host}]", "]]", "{fragment}", "http://z.example/{n}_", "a\nb", "* a", "== a", "a=b", "'",  "*/", "}}}}", "''a''", "&amp;", "#", "a b"]  # fmt: skip


# Style sheets, as tinycss2 reads them.


def css_document(make):
    out = []
    for _ in range(make.randint(1, 6)):
        link = make.choice(LINKS)
        escaped = re.sub(r"([()'\"])", r"\\\1", link)
        url = make.choice([f"url({escaped})", f"url( {escaped} )", f'url("{link}")', f"url('{link}')", f"URL('{link}')", f'"{link}"', f"url({escaped}"])
        out.append(
            make.choice(
                [
                    f"@import {url};", f"@import {url} screen;", f"a {{ background: {url} no-repeat, {url} }}", f"/* {prose(make)} */", f"/*{link}*/",
                    f"a::after {{ content: '{prose(make)}' {url} }}", f'a {{ content: "see {link}\\\n b" }}', f"@font-face {{ src: {url} format('woff'), {url} }}",
                    "b { c: d !important }", f"@namespace {url};", f"a[href={chr(34)}{link}{chr(34)}] {{ b: c }}", f"{{{link}}}", "<!-- a {} -->",
                ]
            )
        )  # fmt: skip
    return make.choice(["\n", " ", ""]).join(out)


def css_tokens(text):
    seen = []

    def see(nodes):
        for node in nodes:
            name = node.type
            if name in ("url", "string", "comment"):
                seen.extend([(name, ""), ("text", node.value)])
            elif name == "error":
                seen.append((f"error {node.kind}", ""))
            elif hasattr(node, "content") and node.content is not None:
                seen.append((f"{name} {getattr(node, 'lower_name', '')}", ""))
                see(node.content)
                seen.append(("end", ""))
            elif name == "function":
                seen.append((f"function {node.lower_name}", ""))
                see(node.arguments)
                seen.append(("end", ""))
            else:
                seen.append((f"{name} {getattr(node, 'value', '')!r}", ""))

    see(tinycss2.parse_component_value_list(text))
    return seen


def test_css():
    documents(css_document, css_tokens, "css", same_between, SIGNS)


# Calendars and contacts, as icalendar and vobject read them.


def ical_fold(make, line):
    """Folds as most programs do, or earlier."""
    data, width, out = line, make.choice([75, 40, 20]), []
    while len(data.encode()) > width:
        cut = width
        while len(data[:cut].encode()) > width:
            cut -= 1
        out.append(data[:cut])
        data = " " + data[cut:]
    return "\r\n".join([*out, data])


def ical_text(text):
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def ical_document(make):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN"]
    for number in range(make.randint(1, 3)):
        lines += ["BEGIN:VEVENT", f"UID:{number}@x.example", "DTSTAMP:20260101T000000Z", "DTSTART:20260101T000000Z"]
        for _ in range(make.randint(1, 5)):
            link, text = make.choice(LINKS), ical_text(make.choice([prose(make), f"{prose(make)}\n{prose(make)}", make.choice(LINKS)]))
            lines.append(
                make.choice(
                    [
                        f"URL:{link}", f"DESCRIPTION:{text}", f"SUMMARY:{text}", f'DESCRIPTION;ALTREP="{link}":{text}', f"ATTACH:{link}", f"LOCATION:{text}",
                        "ORGANIZER;CN=a:mailto:a@x.example", f'ATTENDEE;DIR="{link}";CN="a b":mailto:a@x.example', f"X-A-URL:{link}", f"COMMENT:{text}",
                        f"CONFERENCE;VALUE=URI;FEATURE=AUDIO;LABEL=a:{link}", f"CATEGORIES:a,{text}", f"X-B;VALUE=URI:{link}",
                    ]
                )
            )  # fmt: skip
        lines.append("END:VEVENT")
    return "\r\n".join(ical_fold(make, line) for line in [*lines, "END:VCALENDAR", ""])


def ical_lines(text):
    """Each property with its parameters and its value, and that no line is too long."""
    try:
        calendar = icalendar.Calendar.from_ical(text)
    except ValueError:
        return None
    seen = []
    for name, value in calendar.property_items():
        seen.append((f"property {name}", ""))
        for key, parameter in sorted(getattr(value, "params", {}).items()):
            seen += [(f"parameter {key}", ""), ("text", str(parameter))]
        value = value.to_ical() if hasattr(value, "to_ical") else str(value).encode()
        seen += [("value", ""), ("text", value.decode())]
    for component in calendar.walk():
        seen.append((f"errors {[str(error) for error in component.errors]}", ""))
    long = [line for line in text.split("\r\n") if len(line.encode()) > 75]
    return [*seen, (f"{len(long)} long lines", "")]


def test_ical():
    documents(ical_document, ical_lines, "ical", same_between, SIGNS)


def vcard_document(make):
    lines = ["BEGIN:VCARD", "VERSION:3.0", "FN:a b", "N:b;a;;;"]
    for _ in range(make.randint(1, 6)):
        link, text = make.choice(LINKS), ical_text(make.choice([prose(make), make.choice(LINKS)]))
        lines.append(
            make.choice(
                [f"URL:{link}", f"item1.URL;TYPE=work:{link}", f"NOTE:{text}", f"PHOTO;VALUE=uri:{link}", f"ORG:a;{text};b", f"ADR:;;{text};b;;;", f"X-A:{text}", f"TITLE:{text}"]
            )
        )
    return "\r\n".join(ical_fold(make, line) for line in [*lines, "END:VCARD", ""])


def vcard_lines(text):
    logging.disable()
    card = vobject.readOne(text)
    seen = []
    for line in card.getChildren():
        seen.append((f"{line.group} {line.name} {line.params}", ""))
        value = line.value
        parts = value if isinstance(value, list) else [str(getattr(value, part)) for part in vars(value)] if hasattr(value, "__dict__") else [value]
        for part in parts:
            seen += [("value", ""), ("text", part if isinstance(part, str) else repr(part))]
    return seen


def test_vcard():
    documents(vcard_document, vcard_lines, "ical", same_between, SIGNS)


# Wikitext, as mwparserfromhell reads it.

# What an equals sign is in gives a parameter its name.
PLAIN = [link for link in LINKS if "=" not in link]

def wiki_document(make):
    lines = []
    for _ in range(make.randint(1, 6)):
        link = make.choice(LINKS)
        lines.append(
            make.choice(
                [
                    prose(make), f"[{link} {words(make)}]", f"[{link}]", f"* {link}", f"== {words(make)} ==", f"''{link}''", f"'''see {link}'''",
                    f"{{{{cite web |url={link} |title={words(make)}}}}}", f"{{{{official|{make.choice(PLAIN)}}}}}", f"{{{{official|1={link}}}}}", f"<ref>{prose(make)}</ref>", f"<ref>[{link} a]</ref>",
                    f"[[File:a.png|thumb|link={link}|b]]", f"<!-- {prose(make)} -->", f"<nowiki>{link}</nowiki>", f"[[a|b]] {link}",
                    f"{{|\n| {link} || b\n|-\n| a | {prose(make)}\n|}}", f"# a\n#: {link}", f"<span title=\"{link}\">b</span>", f"; a : {link}", f"''a'' ({link})",
                ]
            )
        )  # fmt: skip
    return "\n".join(lines) + "\n"


def wiki_nodes(text):
    seen = []

    def see(code):
        if code is None:
            return
        for node in code.nodes:
            name = type(node).__name__
            match name:
                case "Text" | "HTMLEntity":
                    seen.append(("text", str(node)))
                    continue
                case "Comment":
                    seen.extend([("comment", ""), ("text", str(node.contents))])
                case "Template":
                    seen.append(("template", ""))
                    see(node.name)
                    for parameter in node.params:
                        seen.append((f"parameter {parameter.showkey}", ""))
                        see(parameter.name)
                        seen.append(("=", ""))
                        see(parameter.value)
                case "ExternalLink":
                    # What is no URL makes no link, but it has the same text.
                    seen.append(("text", f"[{node.url}" if node.brackets else str(node.url)))
                    if node.brackets:
                        seen.append(("text", " " if node.title else ""))
                        see(node.title)
                        seen.append(("text", "]"))
                    continue
                case "Wikilink":
                    seen.append(("page", ""))
                    see(node.title)
                    seen.append(("|", ""))
                    see(node.text)
                case "Tag":
                    seen.append((f"tag {node.tag}", ""))
                    for attribute in node.attributes:
                        seen.append(("attribute", ""))
                        see(attribute.name)
                        see(attribute.value)
                    see(node.contents)
                case _:
                    seen.append((name, ""))
                    see(getattr(node, "title", None))
            seen.append(("end", ""))

    see(mwparserfromhell.parse(text))
    return seen


def test_wikitext():
    documents(wiki_document, wiki_nodes, "wikitext", same_between, SIGNS)


# Org, as orgparse reads it.


def org_document(make):
    lines = []
    for _ in range(make.randint(1, 7)):
        link = make.choice(LINKS)
        lines.append(
            make.choice(
                [
                    f"* {words(make)} {link}", f"** TODO {link} :a:b:", prose(make), f"[[{link}][{words(make)}]]", f"[[{link}]]", f"- {link}", f"- a :: {link}",
                    f"| {link} | b |", f"#+TITLE: {link}", f"# {prose(make)}", f": {link}", f"<{link}>", f"#+BEGIN_SRC sh\n{link}\n#+END_SRC", f"={link}= ~a~",
                    f"* a\n:PROPERTIES:\n:URL: {link}\n:A: b\n:END:", f"* a\nSCHEDULED: <2026-01-01 Thu>\n{link}", f"{link}", f"[fn:1] {link}",
                ]
            )
        )  # fmt: skip
    return "\n".join(lines) + "\n"


def org_nodes(text):
    seen = []
    for node in orgparse.loads(text):
        if not node.is_root():
            seen += [(f"heading {node.level} {node.todo} {node.priority} {sorted(node.tags)} {bool(node.scheduled)}", ""), ("text", node.get_heading("raw").rstrip())]
        for key, value in node.properties.items():
            seen += [(f"property {key}", ""), ("text", str(value))]
        # What the lines of a body are.
        for line in node.get_body("raw").split("\n"):
            kind = re.match(r"\s*([-+*] (?:.*? :: )?|\d+[.)] |\||#\+\w+:?|# |: |\[fn:\w+\]|)", line)[1]
            seen.append((f"line {'- ::' if kind.endswith(':: ') else kind}", ""))
            for part in re.split(r"(\[\[|(?<!\\)\]\[|(?<!\\)\]\]|\|)", line):
                seen.append((part, "") if part in ("[[", "][", "]]", "|") else ("text", part))
    return seen


def test_org():
    documents(org_document, org_nodes, "org", same_between, SIGNS)


# BBCode, as the package of this name reads it.


def bbcode_document(make):
    parts = []
    for _ in range(make.randint(1, 6)):
        link = make.choice(LINKS)
        parts.append(
            make.choice(
                [
                    prose(make), f"[url]{link}[/url]", f"[url={link}]{words(make)}[/url]", f'[url="{link}"]a[/url]', f"[b]{link}[/b]", f"[img]{link}[/img]",
                    f"[quote={words(make).replace(' ', '')}]{prose(make)}[/quote]", f"[code]{link}[/code]", f"[list][*]{link}[*]b[/list]", f"[i]a[/i] {link}",
                    f"[b]see {link}, [u]{words(make)}[/u][/b]", f"[color=red]{link}[/color]", link, "\n",
                ]
            )
        )  # fmt: skip
    return make.choice([" ", "\n", ""]).join(parts)


BBCODE = bbcode.Parser(newline="\n", escape_html=False, replace_links=False, replace_cosmetic=False)
BBCODE.add_simple_formatter("img", "%(value)s")


def bbcode_tokens(text):
    seen = []
    for kind, tag, options, part in BBCODE.tokenize(text):
        if kind in (bbcode.Parser.TOKEN_TAG_START, bbcode.Parser.TOKEN_TAG_END):
            seen.append((f"{kind} {tag} {sorted(options or {})}", ""))
            for value in (options or {}).values():
                seen += [("value", ""), ("text", value)]
        elif kind == bbcode.Parser.TOKEN_NEWLINE:
            seen.append(("line", ""))
        else:
            seen.append(("text", part))
    return seen


def test_bbcode():
    documents(bbcode_document, bbcode_tokens, "bbcode", same_between, SIGNS)


# Logs: each record stays one, with as many fields.


def log_document(make):
    lines = []
    kind = make.choice(["json", "syslog", "combined", "logfmt"])
    for _ in range(make.randint(1, 5)):
        link, text = make.choice(LINKS), prose(make)
        escaped = json.dumps(text, ensure_ascii=make.random() < 0.5)
        bytes_ = "".join(c if c.isascii() else "".join(f"\\x{b:02X}" for b in c.encode()) for c in link)
        match kind:
            case "json":
                record = {"a": text, "url": link, "b": {"c": [link, 1]}}
                line = json.dumps(record, ensure_ascii=make.random() < 0.5)
                lines.append(line.replace("/", "\\/") if make.random() < 0.2 else line)
            case "syslog":
                lines.append(f'<34>1 2026-01-01T00:00:00Z host app 1 ID [a@1 url="{link}" b="c"] {text}')
            case "combined":
                lines.append(f'192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET /é?a={link} HTTP/1.1" 200 1 "{make.choice([link, bytes_])}" "a (+{link})"')
            case _:
                lines.append(f'time=1 level=info msg={escaped} url="{bytes_}" a={words(make).split()[0]}')
    return "\n".join(lines) + "\n"


def log_records(text):
    seen = []
    for line in text.split("\n"):
        seen.append(("record", ""))
        if line.startswith("{"):
            try:
                record = json.loads(line)
            except ValueError:
                seen.append(("broken", ""))
                continue
            for value in [record["a"], record["url"], *record["b"]["c"]]:
                seen += [("value", ""), ("text", str(value))]
            continue
        # Fields between quotes, in which a backslash escapes.
        for field in re.split(r'("(?:[^"\\]|\\.)*")', line):
            seen += [("field" if field.startswith('"') else "between", ""), ("text", field)]
    return seen


def test_logs():
    documents(log_document, log_records, "log", same_between, SIGNS)


# AsciiDoc, as Asciidoctor reads it.

ASCIIDOCTOR = """
require 'asciidoctor'
require 'json'
def see(node, out)
  out << [node.context.to_s + ' ' + (node.style || '').to_s, '']
  out << ['text', node.title] << ['title', ''] if node.title?
  case node.context
  when :table
    node.rows.to_h.each { |_, rows| rows.each { |row| out << ['row', '']; row.each { |cell| out << ['cell', ''] << ['text', cell.text] } } }
  when :dlist
    node.items.each { |terms, item| terms.each { |term| out << ['term', ''] << ['text', term.text] }; see(item, out) if item }
  when :list_item
    out << ['text', node.text] if node.text?
    node.blocks.each { |block| see(block, out) }
  else
    node.blocks? ? node.blocks.each { |block| see(block, out) } : out << ['text', node.content.to_s]
  end
  out << ['end', '']
end
STDOUT.sync = true
STDIN.each_line do |line|
  begin
    out = []
    see(Asciidoctor.load(JSON.parse(line), safe: :secure, logger: false), out)
    puts JSON.generate(out)
  rescue => e
    puts JSON.generate([["error " + e.class.to_s, ""]])
  end
end
"""


def adoc_document(make):
    lines = []
    for _ in range(make.randint(1, 6)):
        link = make.choice(LINKS)
        lines.append(
            make.choice(
                [
                    prose(make), f"{link}[{words(make)}]", f"* {link}", f"* {prose(make)}\n** {link}", f"== {words(make)} {link}", f". {link}", f"_{link}_",
                    f"*see {link}*", f"`{link}`", f"a:: {link}", f"{link} a:: b", f"|===\n| {link} | b\n| a | {prose(make)}\n|===", f"----\n{link}\n----",
                    f"link:{link}[a]", f".{words(make)} {link}\na", f"NOTE: {prose(make)}", f"// {link}\na", f"____\n{prose(make)}\n____", f"footnote:[{link}]",
                    f"image::{link}[a]", f"{words(make)} +\n{link}", f"[quote, {words(make)}]\n{link}", f"{link}", "<http://x.example/é>", f"'{link}'", f"({link})", f"1. {link}",
                ]
            )
        )  # fmt: skip
    return "\n\n".join(lines) + "\n"


def adoc_text(text):
    """HTML as the text that it was made of: what is no URL makes no link, but has the same text."""
    text = re.sub(r'<a href="([^"]*)"(?! class="bare)[^>]*>(.*?)</a>', r"\1[\2]", text)
    # The brackets around a URL are no text.
    return re.sub("[<>]", "", html.unescape(re.sub(r"</?a\b[^>]*>|<img\b[^>]*>", "", text)))


@pytest.mark.skipif(shutil.which("asciidoctor") is None, reason="needs asciidoctor")
def test_asciidoc():
    with subprocess.Popen(["ruby", "-e", ASCIIDOCTOR], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:

        def read(text):
            reader.stdin.write(json.dumps(text).encode() + b"\n")
            reader.stdin.flush()
            seen = []
            for kind, text in json.loads(reader.stdout.readline()):
                # Tags within a text are marks.
                parts = re.split(r"(</?(?!a\b|img\b)\w[^>]*>)", text) if kind == "text" else [kind]
                seen += [("text", adoc_text(part)) if kind == "text" and number % 2 == 0 else (part, "") for number, part in enumerate(parts)]
            return seen

        documents(adoc_document, read, "asciidoc", same_between, SIGNS)
