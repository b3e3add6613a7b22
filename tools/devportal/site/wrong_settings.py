"""Wrong settings of a `mkdocs.yml`, as MkDocs reports them: which setting, where it is written, and what to do."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import yaml
from mkdocs.utils.yaml import get_yaml_loader

from devportal.errors import InvalidSettings, Place
from devportal.project.settings_file import PLUGIN

_PLUGIN = re.compile(r"Plugin '(?P<plugin>[^']+)' option '(?P<option>[^']+)': (?P<reason>.+)", re.DOTALL)
_NEXT_PLUGIN = re.compile(r"\n(?=Plugin '[^'\n]+' option ')")
"""Between the problems of two settings of plug-ins, which MkDocs reports as one problem of `plugins`."""
_HELP = "\n  help: "
"""Between what an error of ours says is wrong, and what to do."""
_TYPE = re.compile(
    r"Expected (?:type: <class '(?P<kind>\w+)'>|a (?P<noun>string|list|dict)),? (?:but received:|got) "
    r"<class '(?P<found>\w+)'>"
)
_CHOICE = re.compile(r"Expected one of: \((?P<choices>.+)\) but received: (?P<found>.+)", re.DOTALL)
_KINDS = {
    "str": "text",
    "string": "text",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "dict": "a mapping",
    "int": "a number",
    "float": "a number",
    "NoneType": "nothing",
}
"""The names of types in Python, as users of YAML call them."""
_NAMED_FIRST = re.compile(r"'(\w+)' ")
_UNKNOWN = re.compile(r"there is no such setting(?:\. Did you mean '(?P<meant>[^']*)'\?)?")
_OUTPUT = ("site_dir",)
_MISSING = "Required configuration not provided."


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongSetting:
    """A setting that cannot be used."""

    path: tuple[str, ...]
    """Its name, or that of `plugins`, a plug-in and its setting."""
    reason: str
    help: str = ""


def wrong_settings(name: str, reason: str) -> Iterator[WrongSetting]:
    """Yield the settings that are wrong, from the name and the reason that MkDocs reports."""
    for part in _NEXT_PLUGIN.split(reason):
        of_plugin = _PLUGIN.fullmatch(part)
        path = ("plugins", of_plugin["plugin"], of_plugin["option"]) if of_plugin else (name,)
        text, _, advice = (of_plugin["reason"] if of_plugin else part).partition(_HELP)
        yield WrongSetting(path=path, reason=text, help=advice)


def settings_error(problems: Sequence[WrongSetting], files: Sequence[Path]) -> InvalidSettings:
    """Return the error for wrong settings, each with its place in the file of a project or one it inherits from."""
    first, *others = (_error(problem, files) for problem in problems)
    if not others:
        return first
    advice = "\n".join((first.help, *(f"error: {other}" for other in others)))
    return InvalidSettings(first.message, place=first.place, help=advice)


def _error(problem: WrongSetting, files: Sequence[Path]) -> InvalidSettings:
    node, place = find_setting(problem.path, files)
    *area, name = problem.path
    of_plugin = f" of the plugin {area[-1]!r}" if area else ""
    if problem.reason == _MISSING:
        return InvalidSettings(
            f"the setting {name!r} is missing", place=place, help=f"write '{name}: …' in mkdocs.yml"
        )
    if unknown := _UNKNOWN.fullmatch(problem.reason):
        return InvalidSettings(
            f"the plugin {area[-1]!r} has no setting {name!r}" if area else f"there is no setting {name!r}",
            place=place,
            help=f"did you mean {unknown['meant']!r}?" if unknown["meant"] else "remove it",
        )
    reason, advice = _in_plain_words(problem.reason, node)
    if problem.path == _OUTPUT and node is None:  # an option of the command line sets it
        return InvalidSettings(
            f"the folder of the site cannot be used: {reason}", help="give another one with --site-dir"
        )
    return InvalidSettings(
        f"the setting {name!r}{of_plugin} cannot be used: {reason}",
        place=place,
        help=problem.help or advice or "correct this setting in mkdocs.yml",
    )


def _in_plain_words(reason: str, node: yaml.Node | None) -> tuple[str, str]:
    """Return a reason of MkDocs without names of Python, with the value that was found, and what to do if known."""
    if wrong_type := _TYPE.search(reason):
        kind = _KINDS.get(wrong_type["kind"] or wrong_type["noun"], "of another type")
        found = (
            node.value
            if isinstance(node, yaml.ScalarNode) and node.value
            else _KINDS.get(wrong_type["found"])
        )
        return f"it must be {kind}, found {found}", f"write {kind}"
    if choice := _CHOICE.fullmatch(reason):
        choices = re.findall(r"'([^']*)'", choice["choices"])
        close = get_close_matches(choice["found"].strip("'"), choices, n=1)
        advice = f"did you mean {close[0]!r}?" if close else ""
        return f"it must be one of {', '.join(choices)}, found {choice['found']}", advice
    plain = re.sub(r"<class '(\w+)'>", lambda found: _KINDS.get(found[1], found[1]), reason)
    plain = plain.replace(f"{Path.cwd()}/", "")
    return re.sub(r"\s*\n\s*", " ", plain), ""


def find_setting(
    path: Sequence[str], files: Sequence[Path], *, exactly: bool = False
) -> tuple[yaml.Node | None, Place]:
    """Return the value and the place of a setting in the first of several files that has it.

    If none has it, the place is that of the setting that it would be below, or else the first file; always the
    latter with `exactly`.
    """
    for depth in range(len(path), len(path) - 1 if exactly else 0, -1):
        for file in files:
            found = _find_node(compose_settings(file), path[:depth])
            if found is not None:
                key, value = found
                place = Place(
                    file=relative_to_cwd(str(file)),
                    line=key.start_mark.line + 1,
                    column=key.start_mark.column + 1,
                )
                return (value if depth == len(path) else None), place
    return None, Place(file=relative_to_cwd(str(files[0])))


def with_place_of_setting(error: InvalidSettings, files: Sequence[Path]) -> InvalidSettings:
    """Return an error with the place of the setting that its message names first; unchanged if it names none."""
    named = _NAMED_FIRST.match(error.message)
    if error.place is not None or named is None:
        return error
    paths = (("plugins", PLUGIN, named[1]), (named[1],))
    nodes = (find_setting(path, files, exactly=True) for path in paths)
    place = next((place for _, place in nodes if place.line), None)
    return InvalidSettings(error.message, place=place, help=error.help)


def _find_node(root: yaml.Node | None, path: Sequence[str]) -> tuple[yaml.Node, yaml.Node | None] | None:
    """Return the nodes of a key and its value; a list of mappings, such as `plugins`, is taken as one mapping."""
    key, value = root, root
    for name in path:
        found = next(((key, value) for key, value in _members(value) if key.value == name), None)
        if found is None:
            return None
        key, value = found
    return (key, value) if key is not None else None


def _members(node: yaml.Node | None) -> Iterator[tuple[yaml.Node, yaml.Node | None]]:
    match node:
        case yaml.MappingNode():
            yield from node.value
        case yaml.SequenceNode():
            for item in node.value:
                if isinstance(item, yaml.ScalarNode):
                    yield item, None
                else:
                    yield from _members(item)


def settings_files(file: Path) -> Iterator[Path]:
    """Yield the settings file of a project and the files it inherits from, up to an unreadable one."""
    read = set[Path]()
    while file not in read:
        yield file
        read.add(file)
        try:
            text = file.read_text(encoding="utf-8")
            if "INHERIT" not in text:
                return
            settings = yaml.load(text, get_yaml_loader())  # noqa: S506 - as MkDocs loads it
        except (OSError, ValueError, yaml.YAMLError):
            return
        parent = settings.get("INHERIT") if isinstance(settings, dict) else None
        file = (file.parent / parent).resolve() if isinstance(parent, str) else file


def compose_settings(file: Path) -> yaml.Node | None:
    """Return the nodes of a file of settings; None if it cannot be read, which MkDocs reports."""
    try:
        return yaml.compose(file.read_text(encoding="utf-8-sig"), Loader=yaml.CSafeLoader)
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return None


def relative_to_cwd(name: str) -> str:
    """Return a path from the working folder, if it lies inside."""
    path = Path(name)
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else name
