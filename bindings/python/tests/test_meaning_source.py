"""Rewritten source code still means the same to the grammars of tree-sitter. See meaning.py.

Generated programs are read before and after rewriting: the tree has the same nodes, and all of them but those with a link
have the same text.
"""

import importlib
from urllib.parse import unquote

import pytest
from tree_sitter import Language, Parser

from meaning import LINKS, documents, same_between, words

# For each language its grammar, the format, the extension, what a string is written between, what joins strings, a comment, and
# lines with `§` for strings.
LANGUAGES = {
    "python": ("tree_sitter_python", "language", "python", ['"', "'", '"""', "r'", "f'", "b'"], [" + ", "\n  ", " \\\n ", " "], ["# §\n"],
               ["a = §", "f(§, b=§)", "a = [§, §]", "a = {1: §}", "def f():\n    §\n    return §", "if a == §: pass", "assert §, §"]),
    "javascript": ("tree_sitter_javascript", "language", "java", ['"', "'", "`"], [" + ", " +\n  "], ["// §\n", "/* § */"],
                   ["const a = §;", "f(§, §);", "a = [§,\n§];", "a = {b: §, c: §};", "import a from §;", "a.b\n(c, §)", "let r = /a\\/b/.test(§)"]),
    "typescript": ("tree_sitter_typescript", "language_typescript", "java", ['"', "'", "`"], [" + ", " +\n"], ["// §\n", "/* § */"],
                   ["const a: string = §;", "type A = § | §;", "enum E { A = § }", "f<string>(§ as T);"]),
    "go": ("tree_sitter_go", "language", "java", ['"', "`"], [" + ", " +\n"], ["// §\n", "/* § */"],
           ["package a", "var a = §", "func f() { g(§, §) }", "var a = []string{§, §}", "import §"]),
    "rust": ("tree_sitter_rust", "language", "source", ['"', 'r"', 'r#"', 'b"'], [", "], ["// §\n", "/* § */", "/// §\n"],
             ["const A: &str = §;", "fn f() { g(§); }", "const A: [&str; 2] = [§, §];", "#[doc = §]\nstruct A;"]),
    "c": ("tree_sitter_c", "language", "c", ['"', 'L"', 'u8"'], [" ", "\n  ", " \\\n"], ["// §\n", "/* § */"],
          ["char *a = §;", "int f(void) { return g(§, §); }", "char *a[] = {§, §};", "#define A §\n", "#include §\n"]),
    "cpp": ("tree_sitter_cpp", "language", "c", ['"', 'R"('], [" ", "\n  "], ["// §\n", "/* § */"],
            ["auto a = §;", "int f() { return g(§, §); }", "std::vector<S> a{§, §};"]),
    "java": ("tree_sitter_java", "language", "java", ['"'], [" + ", "\n + ", " +\n "], ["// §\n", "/* § */", "/** § */"],
             ["class A { String a = §; }", "class A { @B(§) void f() { g(§, §); } }", "class A { String[] a = {§, §}; }"]),
    "ruby": ("tree_sitter_ruby", "language", "java", ['"', "'", "%q("], [" + ", " ", " \\\n "], ["# §\n"],
             ["a = §", "f(§, b: §)", "a = [§, §]", "a = {§ => §}", "puts §", "a = §\nb = §", "def f\n  §\nend"]),
    "php": ("tree_sitter_php", "language_php", "java", ['"', "'"], [" . ", " .\n  "], ["// §\n", "/* § */", "# §\n"],
            ["$a = §;", "f(§, §);", "$a = [§ => §];", "echo §;", "?><p>§</p><?php ;"]),
    "bash": ("tree_sitter_bash", "language", "source", ['"', "'", "$'"], ["", " ", " \\\n "], ["# §\n"],
             ["a=§", "curl § §", "a=(§\n§)", "f() { echo §; }", "[ § = § ] && g", "export A=§", "echo § | wget -i -", "case § in\n§) f;;\nesac"]),
    "toml": ("tree_sitter_toml", "language", "source", ['"', "'", '"""'], [], ["# §\n"],
             ["[a]", "a = §", "a = [§,\n§]", "§ = §", "a = {b = §}"]),
    "yaml": ("tree_sitter_yaml", "language", "source", ['"', "'"], [], ["# §\n"],
             ["a: §", "- §\n- §", "a: [§, §]", "§: §", "a: {b: §}", "a: |\n  §\n  b", "a: >\n  §", "a: &b §", "- a: §\n  b: §"]),
    "nix": ("tree_sitter_nix", "language", "source", ['"', "''"], [], ["# §\n", "/* § */"],
            ["{ a = §; }", "[ § § ]", "f § §", "let a = §; in a", "{ \"a\" = §; }"]),
    "commonlisp": ("tree_sitter_commonlisp", "language", "source", ['"'], [" ", "\n"], ["; §\n", "#| § |#"],
                   ["(f § §)", "(defun f () §)", "'(§\n§)", "(setf a §)"]),
    "c-sharp": ("tree_sitter_c_sharp", "language", "java", ['"', '@"'], [" + ", "\n + "], ["// §\n", "/* § */", "/// §\n"],
                ["class A { string a = §; }", "class A { void F() { G(§, §); } }", "[B(§)] class A { }"]),
}  # fmt: skip
CLOSING = {'R"(': ')"', "%q(": ")", 'r#"': '"#'}
# In them nothing is escaped, or not by a backslash.
RAW = ("r'", 'r"', 'r#"', 'R"(', '@"', "''", "'", "%q(", "`", "$'")
# Signs of a language end no link, and stay as they are.
PLACEHOLDERS = ["http://x.example/{id}/é", "http://x.example/${id}/é", "http://x.example/%s/é", "http://x.example/$id/é", "http://x.example/(é|e)/"]
# None has a placeholder: who writes one in a template wants it.
SOURCE_TEXTS = ["", "x", "[{n}: {host}]({text})", "a b_ *d", "{fragment}", "http://z.example/{n}_", "'", '"', "\\", "a*/b", "`"]


def string(make, language, links):
    """A literal with a link or without, or two that are one."""
    _, _, _, quotes, joins, _, _ = LANGUAGES[language]
    opener = make.choice(quotes)
    closer = CLOSING.get(opener, opener.lstrip("rfbLu8R@$"))
    text = make.choice(["{}", "{}", "a {} b", "({})", "{}, {}", "a", '<a href=\\"{}\\">', "{}\\n", "{}\\t{}", "\\u00e9 {}", "{} b", "[{}]", "{}"])
    if opener in RAW:
        text = text.replace('\\"', "").replace("\\", "")
    text = text.replace("{}", make.choice(links))
    if closer in ("'", "''") and text not in links:
        # An apostrophe is a sign of a link that it does not delimit.
        text += " b"
    if joins and "\\" not in text and make.random() < 0.3:
        cut = make.choice([0, len(text), make.randint(0, len(text))])
        if closer in ("'", "''", ')"'):
            cut = 0
        return opener + text[:cut] + closer + make.choice(joins) + opener + text[cut:] + closer
    if opener not in RAW and make.random() < 0.05:
        text = text.replace("/", "\\/")
    return opener + text + closer


def program(language, links=LINKS, quoted=True):
    """Makes programs of lines with literals, or with links without quotes."""
    _, _, _, _, _, comments, lines = LANGUAGES[language]

    def make_one(make):
        out = ["<?php\n"] if language == "php" else []
        for _ in range(make.randint(1, 6)):
            if make.random() < 0.3:
                out.append(make.choice(comments).replace("§", make.choice([make.choice(links), f"see {make.choice(links)}.", f"({make.choice(links)})", words(make)])))
                if not out[-1].endswith("\n"):
                    out.append("\n")
                continue
            line = make.choice(lines)
            while "§" in line:
                line = line.replace("§", string(make, language, links) if quoted else make.choice(links), 1)
            out.append(line + "\n")
        return "".join(out)

    return make_one


def is_literal(node):
    """True for a string in which no code is."""
    if not any(word in node.type for word in ("str", "scalar", "template")) or "concat" in node.type:
        return False
    return not any(part in child.type for child in node.children for part in ("interpolation", "expansion", "substitution", "variable", "expression"))


def tree(language):
    """Reads the nodes of a program: what each is, and its text if there is no node in it. None if there is an error."""
    module, grammar, *_ = LANGUAGES[language]
    parser = Parser(Language(getattr(importlib.import_module(module), grammar)()))

    def read(text):
        root = parser.parse(text.encode()).root_node
        if root.has_error:
            return None
        seen, cursor = [], root.walk()
        source = text.encode()
        while True:
            node = cursor.node
            literal = is_literal(node)
            if literal or node.child_count == 0:
                seen += [(node.type, ""), ("text", source[node.start_byte : node.end_byte].decode())]
            else:
                seen.append((node.type, ""))
            if not literal and cursor.goto_first_child() or cursor.goto_next_sibling():
                continue
            while cursor.goto_parent():
                seen.append(("end", ""))
                if cursor.goto_next_sibling():
                    break
            else:
                return seen

    return read


def same_escapes(before, after):
    """The same, if percent-encoding makes no difference."""
    return same_between(before, after) or unquote(before) == unquote(after)


@pytest.mark.parametrize("language", LANGUAGES)
def test_source(language):
    documents(program(language), tree(language), LANGUAGES[language][2], same_between, SOURCE_TEXTS, share=4)


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders(language):
    """What a program puts into a link, it still puts into it."""
    documents(program(language, PLACEHOLDERS), tree(language), LANGUAGES[language][2], same_escapes, (), share=4)


@pytest.mark.parametrize("language", ["bash", "yaml"])
def test_links_without_quotes(language):
    """Without quotes any text may be code, so only links are written."""
    documents(program(language, quoted=False), tree(language), LANGUAGES[language][2], same_between, (), share=4)
