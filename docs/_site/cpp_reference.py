"""The reference of C++: a page for each public header, made of its own comments.

A block of a header is what stands between two empty lines outside of braces. The comment that it
begins with becomes text, the declarations stay as they are, without private members. The block is
headed by the names that it declares.
"""

import re
from pathlib import Path

TYPE = re.compile(r"^(?:template\b[^>]*>\s*)?(class|struct|enum class|enum) (\w+)[^;]*(?:\{|$)")
ALIAS = re.compile(r"^using (\w+) =")
CONSTANT = re.compile(r"^inline constexpr [\w:]+ (\w+)")
FUNCTION = re.compile(r"^(?:\[\[nodiscard\]\] )?[A-Za-z_][\w:<>,&* ]*[ &*](\w+)\(")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{")


def comment_text(line):
    return line[3:] if line.startswith("// ") else line[2:]


def escaped(line):
    """A line of a comment in Markdown: only `code` is markup."""
    pieces = line.split("`")
    if len(pieces) % 2 == 0:
        return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", line)
    for i in range(0, len(pieces), 2):
        pieces[i] = re.sub(r"([\\*_\[\]<>#|])", r"\\\1", pieces[i])
    return "`".join(pieces)


def prose(comment):
    """Paragraphs; indented lines, such as tables, stay as they are."""
    result, is_table = [], False
    for line in map(comment_text, comment):
        if line.startswith("  ") != is_table:
            result += ["```", ""] if is_table else ["", "```text"]
            is_table = not is_table
        result.append(line if is_table else escaped(line))
    return [*result, *(["```"] if is_table else []), ""]


def without_private(code):
    kept, is_private = [], False
    for line in code:
        if line.strip() in ("private:", "public:", "protected:"):
            is_private = line.strip() == "private:"
            if is_private:
                while kept and not kept[-1].strip():
                    kept.pop()
                continue
        if line.startswith("}"):
            is_private = False
        if not is_private:
            kept.append(line)
    return kept


def names_of(code):
    names = []
    for line in code:
        for pattern in (TYPE, ALIAS, CONSTANT, FUNCTION):
            found = pattern.match(line)
            if found and found[found.lastindex] not in names:
                names.append(found[found.lastindex])
                break
    return names


def blocks(lines):
    """Lists of lines between empty lines outside of braces, each with its namespace."""
    block, depth, namespace = [], 0, ""
    for line in lines:
        entered = NAMESPACE.match(line)
        if entered or line.startswith(("}  // namespace", "#")):
            namespace = entered[1] if entered else namespace
            continue
        code = line.split("//")[0]
        if line.strip() or depth:
            block.append(line)
        elif block:
            yield namespace, block
            block = []
        depth += code.count("{") - code.count("}")
    if block:
        yield namespace, block


def section(namespace, block):
    first = next((i for i, line in enumerate(block) if not line.startswith("//")), len(block))
    text, code = prose(block[:first]), without_private(block[first:])
    names = names_of(code)
    if not names and all(re.match(r"^(class|struct) \w+;", line) for line in code):
        return text if first else []
    shown = ", ".join(f"`{name}`" for name in names[:4]) + (", …" if len(names) > 4 else "")
    inner = namespace.removeprefix("antipode").removeprefix("::")
    heading = f"## {shown}" + (f" ({inner})" if inner else "") if names else ""
    return [heading, "", *text, "```cpp", *code, "```", ""]


def page(header):
    head, _, body = header.read_text().partition("#pragma once")
    lines = [f"# `antipode/{header.name}`", "", *prose(head.strip().splitlines())]
    includes = re.findall(r'#include "antipode/(\w+)\.hpp"', body)
    if includes:
        lines += ["Includes " + ", ".join(f"[`{name}`]({name}.md)" for name in includes) + ".", ""]
    for namespace, block in blocks(body.splitlines()):
        lines += section(namespace, block)
    return "\n".join(lines) + "\n"


def write_pages(headers: Path, folder: Path):
    """Writes folder/index.md and a page for each header; returns the number of headers."""
    folder.mkdir(parents=True)
    found = sorted(headers.glob("*.hpp"))
    index = ["# C++ reference", "",
             "The public headers, with their comments. `#include <antipode/antipode.hpp>` has what most",
             "programs need. Everything is in namespace `antipode`; the library throws the exceptions of",
             "[`error`](error.md) and never prints.", "", "| header | contents |", "|---|---|"]
    for header in found:
        (folder / f"{header.stem}.md").write_text(page(header))
        head = header.read_text().partition("#pragma once")[0].strip().splitlines()
        summary = re.split(r"(?<=[.:;]) ", " ".join(map(comment_text, head)))[0].rstrip(":;")
        index.append(f"| [`{header.name}`]({header.stem}.md) | {escaped(summary)} |")
    index += ["", "```{toctree}", ":hidden:", "", *(f"{header.name} <{header.stem}>" for header in found), "```", ""]
    (folder / "index.md").write_text("\n".join(index))
    return len(found)
