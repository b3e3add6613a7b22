"""Wrong settings of a `mkdocs.yml`, as MkDocs reports them: which setting, where it is written, and what to do."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugins
from mkdocs.utils.yaml import get_yaml_loader

from devportal.errors import InvalidSettings, Place
from devportal.project.settings_file import PLUGIN, SETTINGS_FILE
from devportal.suggestions import closest_name, suggest_name

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
_NESTED_FOLDERS = re.compile(
    r"The '\w+' should not be within the '\w+'.*\(site_dir: '(?P<site>.+)', docs_dir: '(?P<docs>.+)'\)",
    re.DOTALL,
)
_NOT_INSTALLED = re.compile(r'The "(?P<name>.+)" plugin is not installed')
_NO_EXTENSION = re.compile(r"Failed to load extension '(?P<name>.+)'\.\s*ModuleNotFoundError: .+", re.DOTALL)
_SUB_OPTION = re.compile(r"Sub-option '(?P<name>[^']+)': ")
"""Before a problem of a member of a setting, once for each level."""
_MEMBER = re.compile(r"(\w+)((?:\.[\w-]+)+)\b")
_CLOSE = 0.8
"""How alike the names of two settings are if one is meant by the other, as `difflib` measures it."""
_NAMED_FIRST = re.compile(r"'([\w.]+)' ")
_UNKNOWN = re.compile(r"there is no such setting(?:\. Did you mean '(?P<meant>[^']*)'\?)?")
_TEXT_TAG = "tag:yaml.org,2002:str"
OF_THEME = "material/"
"""Before the name that MkDocs has for a plug-in of the theme: a project may leave it out."""
_DEPTH_OF_PLUGIN = 2
"""How many names are before that of a plug-in's setting: `plugins` and the plug-in."""
_OUTPUT = ("site_dir",)
_MISSING = "Required configuration not provided."


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongSetting:
    """A setting that cannot be used."""

    path: tuple[str, ...]
    """Its name and those of members; `plugins`, a plug-in and its setting."""
    reason: str
    help: str = ""
    is_sentence: bool = False
    """Whether the reason is all that there is to say."""

    @property
    def plugin(self) -> str:
        """Return the plug-in that it is a setting of, empty if it is one of MkDocs."""
        return (
            self.path[1].removeprefix(OF_THEME)
            if len(self.path) > _DEPTH_OF_PLUGIN and self.path[0] == "plugins"
            else ""
        )

    @property
    def name(self) -> str:
        """Return what messages call it."""
        return f"{self.path[2]!r} of the plugin {self.plugin!r}" if self.plugin else repr(".".join(self.path))


def wrong_settings(name: str, reason: str) -> Iterator[WrongSetting]:
    """Yield the settings that are wrong, from the name and the reason that MkDocs reports."""
    for part in _NEXT_PLUGIN.split(reason):
        of_plugin = _PLUGIN.fullmatch(part)
        path = ("plugins", of_plugin["plugin"], of_plugin["option"]) if of_plugin else (name,)
        text, _, advice = (of_plugin["reason"] if of_plugin else part).partition(_HELP)
        if missing := _NOT_INSTALLED.fullmatch(text):
            yield _not_installed((name, missing["name"]), "plugin", get_plugins())
        elif missing := _NO_EXTENSION.fullmatch(text):
            yield _not_installed((name, missing["name"]), "Markdown extension", _extensions())
        else:
            members, text = _split_members(text)
            yield WrongSetting(path=(*path, *members), reason=text, help=advice)


def _split_members(reason: str) -> tuple[tuple[str, ...], str]:
    """Return the names of the members that a reason is about, one for each level, and the rest of it."""
    names = []
    while member := _SUB_OPTION.match(reason):
        names.append(member["name"])
        reason = reason[member.end() :]
    return tuple(names), reason


def _not_installed(path: tuple[str, str], kind: str, known: Iterable[str]) -> WrongSetting:
    """Return the problem of a plug-in or an extension that no package has."""
    meant = closest_name(path[-1], known)
    advice = "install the package that has it, or remove it"
    return WrongSetting(
        path=path,
        reason=f"the {kind} {path[-1]!r} is not installed",
        help=f"did you mean {meant!r}? Otherwise, {advice}" if meant else advice,
        is_sentence=True,
    )


def _extensions() -> Iterator[str]:
    """Yield the names of the Markdown extensions that are installed."""
    yield from (entry_point.name for entry_point in entry_points(group="markdown.extensions"))
    modules = getattr(find_spec("pymdownx"), "submodule_search_locations", None) or ()
    yield from (f"pymdownx.{module.name}" for module in iter_modules(modules))


def settings_error(problems: Sequence[WrongSetting], files: Sequence[Path]) -> InvalidSettings:
    """Return the error for wrong settings, each with its place in the file of a project or one it inherits from."""
    first, *others = (_error(problem, files) for problem in problems)
    if not others:
        return first
    advice = "\n".join((first.help, *(f"error: {other}" for other in others)))
    return InvalidSettings(first.message, place=first.place, help=advice)


def _error(problem: WrongSetting, files: Sequence[Path]) -> InvalidSettings:
    node, place = find_setting(problem.path, files)
    if problem.is_sentence:
        return InvalidSettings(problem.reason, place=place, help=problem.help)
    if problem.reason == _MISSING:
        return (
            _missing_plugin_setting(problem, files)
            if problem.plugin
            else _missing_setting(problem.path[-1], files)
        )
    if unknown := _UNKNOWN.fullmatch(problem.reason):
        *area, name = problem.path
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
        f"the setting {problem.name} cannot be used: {reason}",
        place=_place_of_member(problem, files) or place,
        help=problem.help or advice or "correct this setting in mkdocs.yml",
    )


def _missing_plugin_setting(problem: WrongSetting, files: Sequence[Path]) -> InvalidSettings:
    name = problem.path[-1]
    return InvalidSettings(
        f"the plugin {problem.plugin!r} needs the setting {name!r}",
        place=find_setting(problem.path, files)[1],
        help=f"write '{name}: …' under {problem.plugin!r}, or remove the plugin",
    )


def _missing_setting(name: str, files: Sequence[Path]) -> InvalidSettings:
    """Return the error for a required setting, at one whose name is nearly the same if there is one."""
    written = (key.value for file in files for key, _ in _members(compose_settings(file)))
    if close := closest_name(name, written, likeness=_CLOSE):
        place = find_setting((close,), files)[1]
        return InvalidSettings(
            f"there is no setting {close!r}, and {name!r} is missing",
            place=place,
            help=f"rename it to {name!r}",
        )
    place = find_setting((name,), files)[1]
    return InvalidSettings(
        f"the setting {name!r} is missing", place=place, help=f"write '{name}: …' in {place.file}"
    )


def _place_of_member(problem: WrongSetting, files: Sequence[Path]) -> Place | None:
    """Return the place of the member that a reason names first, as in `contracts.orders.file`."""
    named = _MEMBER.match(problem.reason)
    if named is None or named[1] != problem.path[-1]:
        return None
    return find_setting((*problem.path, *named[2].split(".")[1:]), files)[1]


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
        advice = suggest_name(choice["found"].strip("'"), choices)
        return f"it must be one of {', '.join(choices)}, found {choice['found']}", advice
    if nested := _NESTED_FOLDERS.match(reason):
        return _describe_nested_folders(*map(relative_to_cwd, nested.group("site", "docs"))), ""
    plain = re.sub(r"<class '(\w+)'>", lambda found: _KINDS.get(found[1], found[1]), reason)
    plain = plain.replace(f"{Path.cwd()}/", "")
    return re.sub(r"\s*\n\s*", " ", plain), ""


def _describe_nested_folders(site: str, pages: str) -> str:
    if site == pages:
        return (
            f"'{site}' is the folder of the pages you write, and a build replaces all that is in its folder"
        )
    if Path(pages).is_relative_to(site):
        return (
            f"'{site}' contains the folder of the pages you write, '{pages}', and a build replaces all of it"
        )
    return f"'{site}' is in the folder of the pages you write, '{pages}', so each build would publish the one before"


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
                return (value if depth == len(path) else None), _place(file, key)
    return None, Place(file=relative_to_cwd(str(files[0])))


def find_value(path: Sequence[str], value: str, files: Sequence[Path]) -> Place:
    """Return the place of a text anywhere below a setting, else that of the setting, as `find_setting` does."""
    for file in files:
        found = _find_node(compose_settings(file), path)
        node = next((node for node in _scalars(found[1] if found else None) if node.value == value), None)
        if node is not None:
            return _place(file, node)
    return find_setting(path, files)[1]


def _scalars(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """Yield the texts below a node, those of keys apart."""
    match node:
        case yaml.ScalarNode():
            yield node
        case yaml.SequenceNode():
            for item in node.value:
                yield from _scalars(item)
        case yaml.MappingNode():
            for _, member in node.value:
                yield from _scalars(member)


def _place(file: Path, node: yaml.Node) -> Place:
    mark = node.start_mark
    return Place(file=relative_to_cwd(str(file)), line=mark.line + 1, column=mark.column + 1)


def with_place_of_setting(error: InvalidSettings, files: Sequence[Path]) -> InvalidSettings:
    """Return an error with the place of the setting that its message names first; unchanged if it names none."""
    named = _NAMED_FIRST.match(error.message)
    if error.place is not None or named is None:
        return error
    name = named[1].split(".")
    paths = (("plugins", PLUGIN, *name), name)
    nodes = (find_setting(path, files, exactly=True) for path in paths)
    place = next((place for _, place in nodes if place.line), None)
    return InvalidSettings(error.message, place=place, help=error.help)


def _find_node(root: yaml.Node | None, path: Sequence[str]) -> tuple[yaml.Node, yaml.Node | None] | None:
    """Return the nodes of a key and its value; a list of mappings, such as `plugins`, is taken as one mapping."""
    key, value = root, root
    for name in path:
        found = next(
            (
                (key, value)
                for key, value in _members(value)
                if key.value in (name, name.removeprefix(OF_THEME))
            ),
            None,
        )
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


def refuse_unusable_paths(config_file: Path) -> None:
    """Raise InvalidSettings for a path that MkDocs takes unseen, and fails with: that of another file of settings, and
    that of templates.
    """
    for file in settings_files(config_file):
        root = compose_settings(file)
        for path in (("INHERIT",), ("theme", "custom_dir")):
            key, value = _find_node(root, path) or (None, None)
            if key is None or (value is not None and value.tag.startswith("!")):  # an environment variable
                continue
            if not isinstance(value, yaml.ScalarNode) or value.tag != _TEXT_TAG or not value.value:
                raise InvalidSettings(
                    f"'{'.'.join(path)}' is not a path",
                    place=_place(file, key),
                    help="write the path, or remove it",
                )
            if path == ("INHERIT",) and not (file.parent / value.value).is_file():
                raise InvalidSettings(
                    f"'INHERIT' is {value.value!r}, and there is no such file",
                    place=_place(file, value),
                    help="write the path of a file, relative to this one",
                )
    _refuse_missing_templates(config_file)


def _refuse_missing_templates(config_file: Path) -> None:
    """Raise InvalidSettings for templates in a folder that does not exist. A path in an inherited file starts at the
    folder of the first one too, and counts only if that has none.
    """
    for file in settings_files(config_file):
        _, value = _find_node(compose_settings(file), ("theme", "custom_dir")) or (None, None)
        if isinstance(value, yaml.ScalarNode):
            if value.tag == _TEXT_TAG and not (config_file.parent / value.value).is_dir():
                raise InvalidSettings(
                    f"'theme.custom_dir' is {value.value!r}, and there is no such folder",
                    place=_place(file, value),
                    help=f"write the path of a folder, relative to that of {config_file.name}, or remove it",
                )
            return


def settings_files_of(config: MkDocsConfig) -> tuple[Path, ...]:
    """Return the settings file of a loaded project, and the files it inherits from."""
    return (*settings_files(Path(config.config_file_path or SETTINGS_FILE)),)


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
