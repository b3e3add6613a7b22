"""ES modules joined into one: each runs in its own scope, after those that it imports.

It reads the style that the scripts of the theme are written in, not all of ECMAScript: an import or export starts
its line, and what a module exports is declared by that line or comes from another module.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname, join, normpath, relpath

_NAMES = r"\{([^{}]*)\}"
_IMPORT = re.compile(rf'^import (?:{_NAMES} from )?"([^"\n]+)";$', re.MULTILINE)
_REEXPORT = re.compile(rf'^export {_NAMES} from "([^"\n]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function\*?|const|class) ([\w$]+))", re.MULTILINE)
_RELATIVE = re.compile(
    r"""(?P<head>\bimport\(\s*|\bnew URL\(\s*)"(?P<address>[^"\n]+)"(?P<tail>\s*\)|\s*,\s*import\.meta\.url\s*\))"""
)
_LEFT = re.compile(
    r"^(?:import(?!\()|export)\b.*|\bimport\(\s*[`'].*|(?<!, )\bimport\.meta\b.*", re.MULTILINE
)


def imported_modules(uri: str, text: str) -> Iterator[str]:
    """Yield the uris of the modules that a module needs before it runs, in order."""
    matches = sorted((*_IMPORT.finditer(text), *_REEXPORT.finditer(text)), key=lambda match: match.start())
    yield from (_target(uri, match[2]) for match in matches)


def module_graph(entries: Sequence[str], sources: Mapping[str, str]) -> tuple[str, ...]:
    """Return the modules that entries load, themselves included, in the order of evaluation (ECMA-262 §16.2.1.5).

    Raises KeyError for one without a source.
    """
    ordered: dict[str, None] = {}

    def visit(uri: str, above: tuple[str, ...]) -> None:
        if uri not in ordered and uri not in above:
            for imported_module in imported_modules(uri, sources[uri]):
                visit(imported_module, (*above, uri))
            ordered[uri] = None

    for entry in entries:
        visit(entry, ())
    return tuple(ordered)


def join_modules(entries: Sequence[str], sources: Mapping[str, str], *, folder: str) -> str:
    """Return the text of one module for a `folder`, which does what the entries do, run in their order.

    An entry that fails is reported, and the others run. Sources are by uri from the root of the site. Raises
    ValueError if a module is written in a way that cannot be joined, or would load one of these once more.
    """
    order = module_graph(entries, sources)
    number = {uri: at for at, uri in enumerate(order)}
    needed = {imported_module for uri in order for imported_module in imported_modules(uri, sources[uri])}
    scopes = ((uri, _scope(uri, sources[uri], number, folder)) for uri in order)
    return "".join(
        f"const m{number[uri]} = {scope};\n"
        if uri in needed
        else f"try {{ {scope}; }} catch (error) {{ reportError(error); }}\n"
        for uri, scope in scopes
    )


def _scope(uri: str, text: str, number: Mapping[str, int], folder: str) -> str:
    """Return an expression that runs a module; its value has what the module exports."""
    exports = [f"{name}: {name}" for name in _EXPORT.findall(text)]

    def import_names(match: re.Match[str]) -> str:
        names = _members(match[1] or "")
        return f"const {{ {names} }} = m{number[_target(uri, match[2])]};" if names else ""

    def export_names(match: re.Match[str]) -> str:
        source = f"m{number[_target(uri, match[2])]}"
        exports.extend(f"{new}: {source}.{old}" for old, new in _renames(match[1]))
        return ""

    def move(match: re.Match[str]) -> str:
        target = _target(uri, match["address"])
        if target in number:
            raise ValueError(f"{uri}: loads {target}, which is joined with it, once more")
        return f'{match["head"]}"{_address(match["address"], target, folder)}"{match["tail"]}'

    body = _EXPORT.sub("", _REEXPORT.sub(export_names, _IMPORT.sub(import_names, text)))
    body = _RELATIVE.sub(move, body)
    if left := _LEFT.search(body):
        raise ValueError(f"{uri}: cannot join {left[0]!r}; see the docstring of {__name__}")
    returned = f"return {{ {', '.join(exports)} }};\n" if exports else ""
    return f"(() => {{\n{body}\n{returned}}})()"


def _renames(names: str) -> Iterator[tuple[str, str]]:
    """Yield each name of a list in braces as it is there and here: `a, b as c` has a and a, b and c."""
    for text in filter(None, (part.strip() for part in names.split(","))):
        old, _, new = text.partition(" as ")
        yield old.strip(), (new or old).strip()


def _members(names: str) -> str:
    return ", ".join(old if old == new else f"{old}: {new}" for old, new in _renames(names))


def _target(uri: str, address: str) -> str:
    return normpath(join(dirname(uri), address))


def _address(address: str, target: str, folder: str) -> str:
    """Return the address of a target from another folder; one of a folder keeps its slash."""
    moved = relpath(target, folder)
    return f"{moved if moved.startswith('.') else f'./{moved}'}{'/' if address.endswith('/') else ''}"
