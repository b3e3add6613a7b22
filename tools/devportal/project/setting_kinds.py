"""The kinds of settings: how each is written, what is refused, and the value that it becomes.

The docstring of a kind says how it is written: the manual has it at each setting.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from devportal.contract.path_templates import fill_placeholders
from devportal.errors import InvalidSettings, hide_credentials
from devportal.language import UnknownLanguage, read_language
from devportal.plugins import require_plugins
from devportal.project.site_url import is_email_address, is_web_address


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFile:
    """The file that settings stand in: paths are relative to its folder, messages call it by `name`."""

    folder: Path
    name: str
    contract: Path | None = None
    """The contract of these settings, once it is known: other files are looked for beside it."""


@dataclass(frozen=True, slots=True)
class SettingKind:
    """How a setting is written. `default` is what holds for a file that does not mention it."""

    default: Any = ""
    in_theme: bool = field(default=False, kw_only=True)
    """Whether templates of the theme have its value, as `config.extra.devportal.NAME`."""

    @property
    def unset(self) -> Any:
        """Return the value that a setting has without a file."""
        return self.default

    @property
    def form(self) -> str:
        """Return how the setting is written, as a help text."""
        return type(self).__doc__ or ""

    def check(self, written: Any) -> Any:
        """Return what was written in its usual form. Raises InvalidSettings."""
        return written

    def value(self, checked: Any, at: SettingsFile) -> Any:  # noqa: ARG002 - some need no file
        """Return the value that a checked setting becomes. Raises PortalError."""
        return checked


@dataclass(frozen=True, slots=True)
class Text(SettingKind):
    """Text."""


@dataclass(frozen=True, slots=True)
class Flag(SettingKind):
    """`true` or `false`."""

    default: bool = False


@dataclass(frozen=True, slots=True)
class Choice(SettingKind):
    """One of several words; the first one is the default."""

    choices: tuple[str, ...] = ()

    @property
    def form(self) -> str:
        """Return the words."""
        return f"One of {', '.join(f'`{choice}`' for choice in self.choices)}."


@dataclass(frozen=True, slots=True)
class PluginNames(SettingKind):
    """A list of texts."""

    default: tuple[str, ...] = ()

    def value(self, checked: Any, at: SettingsFile) -> tuple[str, ...]:
        """Return the canonical names. Raises EnvironmentProblem for a plug-in that is not installed."""
        return require_plugins(checked, listed_in=at.name)


SAMPLE_LANGUAGES = ("curl", "python", "node", "php", "go", "ruby", "java", "csharp")
"""The languages of code samples, in the order shown. Each is a file of `devportal.reference.samples.languages`."""


@dataclass(frozen=True, slots=True)
class SampleLanguages(SettingKind):
    """A list of languages of code samples."""

    default: tuple[str, ...] = SAMPLE_LANGUAGES

    @property
    def form(self) -> str:
        """Return the languages."""
        return f"A list of {', '.join(f'`{sample_language}`' for sample_language in SAMPLE_LANGUAGES)}."

    def check(self, written: Any) -> tuple[str, ...]:
        """Return the languages in lower case, all if nothing is written. Raises InvalidSettings."""
        if written is None:
            return self.default
        listed = written if isinstance(written, (list, tuple)) else [written]
        names = tuple(item.strip().lower() if isinstance(item, str) else item for item in listed)
        advice = f"list one or more of these: {', '.join(SAMPLE_LANGUAGES)}"
        if not names:
            raise InvalidSettings("the list is empty", help=advice)
        for name in names:
            if name not in SAMPLE_LANGUAGES:
                raise InvalidSettings(f"{name!r} is not a language of code samples", help=advice)
            if names.count(name) > 1:
                raise InvalidSettings(f"{name!r} is in the list more than once", help="list it once")
        return names


SynonymGroups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Synonyms(SettingKind):
    """A list of groups, each a list of words and phrases with the same meaning."""

    default: SynonymGroups = ()

    def check(self, written: Any) -> SynonymGroups:
        """Return the groups. Raises InvalidSettings."""
        groups = [] if written is None else written
        for group in groups if isinstance(groups, (list, tuple)) else [groups]:
            are_texts = isinstance(group, (list, tuple)) and all(isinstance(item, str) for item in group)
            if not are_texts or len(group) < 2:
                raise InvalidSettings(
                    f"'search_synonyms' lists {group!r}",
                    help="write groups such as [parcel, package, shipment]",
                )
        return tuple(tuple(group) for group in groups)


@dataclass(frozen=True, slots=True)
class SiteFolders(SettingKind):
    """A list of folders of the site, such as `[toolkit, about]`."""

    default: tuple[str, ...] = ()

    def check(self, written: Any) -> tuple[str, ...]:
        """Return the folders, each with a slash at its end. Raises InvalidSettings."""
        folders = [] if written is None else written
        if not isinstance(folders, (list, tuple)) or not all(isinstance(folder, str) for folder in folders):
            raise InvalidSettings(f"{written!r} is not a list of folders", help="write [toolkit, about]")
        return tuple(f"{folder.strip('/')}/" for folder in folders if folder.strip("/"))


@dataclass(frozen=True, slots=True)
class NavEntries(SettingKind):
    """A list of titles of top-level entries of `nav`."""

    default: tuple[str, ...] = ()

    def check(self, written: Any) -> tuple[str, ...]:
        """Return the titles. Raises InvalidSettings."""
        titles = written if isinstance(written, (list, tuple)) else [written]
        if not all(isinstance(title, str) and title for title in titles):
            raise InvalidSettings(f"{written!r} is not a list of titles: write [About, Contributing]")
        return tuple(titles)


def refuse_address(written: Any) -> None:
    """Raise InvalidSettings for an address of the web in place of a path."""
    if isinstance(written, str) and is_web_address(written):
        raise InvalidSettings(
            f"{hide_credentials(written)!r} is an address, and nothing is read from the network",
            help="download the file, and write its path",
        )


@dataclass(frozen=True, slots=True)
class ProjectPath(Text):
    """Text."""

    beside: str = field(default="", kw_only=True)
    """The name under which it is looked for beside the contract if it is not set; a folder ends with `/`."""
    pages: tuple[str, ...] = field(default=(), kw_only=True)
    """The folders of the pages that are made from it: no other page may be there."""

    @property
    def unset(self) -> None:
        """Return None: there is nothing at this path."""
        return

    def check(self, written: Any) -> Any:
        """Return the path as it is written. Raises InvalidSettings for an address of the web."""
        refuse_address(written)
        return written

    def value(self, checked: Any, at: SettingsFile) -> Path | None:
        """Return the path, or that beside the contract if there is one, else None."""
        if checked:
            return Path(at.folder, checked).resolve()
        return self.find_beside(at.contract) if self.beside and at.contract is not None else None

    def find_beside(self, contract: Path) -> Path | None:
        """Return what lies beside a contract under the usual name, if anything does."""
        path = contract.parent / self.beside
        is_there = path.is_dir() if self.beside.endswith("/") else path.is_file()
        return path if is_there and path != contract else None


@dataclass(frozen=True, slots=True)
class ProjectFiles(SettingKind):
    """A list of files."""

    default: tuple[Path, ...] = ()
    example: str = field(default="[partner.overlay.yaml]", kw_only=True)
    """A list as messages show one."""

    def check(self, written: Any) -> tuple[str, ...]:
        """Return the paths as they are written. Raises InvalidSettings."""
        names = [] if written in (None, "") else written if isinstance(written, (list, tuple)) else [written]
        for name in names:
            if not isinstance(name, (str, Path)) or not str(name):
                raise InvalidSettings(f"{name!r} is not a file", help=f"write a list such as {self.example}")
            refuse_address(name)
        return tuple(map(str, names))

    def value(self, checked: Any, at: SettingsFile) -> tuple[Path, ...]:
        """Return the paths."""
        return tuple(Path(at.folder, item).resolve() for item in checked)


@dataclass(frozen=True, slots=True)
class PageUri(SettingKind):
    """The uri of a page, outside the folders of rates, coverage, changelog and conformance."""

    taken: Callable[[], frozenset[str]] = field(default=frozenset, kw_only=True)
    """Returns the folders of other pages and files."""

    def check(self, written: Any) -> str:
        """Return the uri. Raises InvalidSettings."""
        uri = PurePosixPath(str(written))
        is_plain = isinstance(written, str) and written == uri.as_posix() and not uri.is_absolute()
        if not is_plain or uri.suffix != ".md" or ".." in uri.parts or "\\" in written:
            raise InvalidSettings(
                f"{written!r} is not a page below the site: write it as 'reference/index.md' is"
            )
        if uri.parts[0] in self.taken():
            raise InvalidSettings(f"{written!r} lies where other pages are made: take another folder")
        return str(written)


@dataclass(frozen=True, slots=True)
class NavPage(SettingKind):
    """The uri of a page in `nav`, as it is written there."""

    def check(self, written: Any) -> str:
        """Return the uri. Raises InvalidSettings."""
        if not isinstance(written, str) or (written and not written.endswith(".md")):
            raise InvalidSettings(f"{written!r} is not a page: write it as 'guides/first-request.md'")
        return written


class PageLink(SettingKind):
    """A page below the folder of the pages, with or without an anchor, or an address."""

    def check(self, written: Any) -> str:
        """Return the link as it is written. Raises InvalidSettings."""
        page = str(written).partition("#")[0]
        is_address = page.startswith(("https://", "http://"))
        is_page = page.endswith(".md") and not page.startswith("/") and ".." not in PurePosixPath(page).parts
        if not isinstance(written, str) or not (is_address or is_page or not written):
            raise InvalidSettings(
                f"{written!r} is neither a page nor an address",
                help="write it as 'guides/tokens.md#get-one' is",
            )
        return written

    def value(self, checked: Any, at: SettingsFile) -> str:  # noqa: ARG002
        """Return the address, from the root of the site if it is a page of it."""
        from devportal.markup import url_of  # noqa: PLC0415 - the review of records imports no renderer

        page, mark, anchor = str(checked).partition("#")
        return f"{url_of(page)}{mark}{anchor}" if page.endswith(".md") and "://" not in page else str(checked)


FROM_CONTRACT = "auto"


@dataclass(frozen=True, slots=True)
class ContactAddress(SettingKind):
    """An email address, or an address of the web."""

    def check(self, written: Any) -> str:
        """Return the address that a link leads to, empty if none is set. Raises InvalidSettings."""
        if written in ("", None):
            return ""
        if isinstance(written, str) and is_web_address(written):
            return written
        if isinstance(written, str) and is_email_address(written):
            return f"mailto:{written}"
        raise InvalidSettings(
            f"{written!r} is neither an email address nor a web address",
            help="write one such as api@example.com or https://example.com/subscribe",
        )


@dataclass(frozen=True, slots=True)
class RootAddress(SettingKind):
    """An address of the web such as `https://docs.example.com`, or `auto`."""

    def check(self, written: Any) -> str:
        """Return the address without a slash at its end. Raises InvalidSettings."""
        if written in ("", None, FROM_CONTRACT):
            return written or ""
        if not isinstance(written, str) or not is_web_address(written) or "?" in written or "#" in written:
            raise InvalidSettings(
                f"{written!r} is not an address that paths can follow",
                help=f"write one such as https://docs.example.com, or {FROM_CONTRACT}",
            )
        return written.rstrip("/")


@dataclass(frozen=True, slots=True)
class AddressTemplate(SettingKind):
    """An address with placeholders: `{path}`, `{title}` and `{url}`."""

    needed: str = field(default="", kw_only=True)
    """The placeholder without which all pages would have the same address."""

    def check(self, written: Any) -> str:
        """Return the address as it is written. Raises InvalidSettings."""
        if written in ("", None):
            return ""
        text = written if isinstance(written, str) else ""
        filled = fill_placeholders(text, dict.fromkeys(_PAGE_PLACEHOLDERS, "x"))
        is_address = is_web_address(filled) or (filled.startswith("mailto:") and "@" in filled)
        unknown = re.findall(r"\{[^{}]*\}?|\}", filled)
        if unknown:
            raise InvalidSettings(
                f"{unknown[0]!r} in {written!r} is not a placeholder",
                help=f"those of a page are {', '.join(f'{{{name}}}' for name in _PAGE_PLACEHOLDERS)}",
            )
        if not is_address or (self.needed and self.needed not in text):
            raise InvalidSettings(
                f"{written!r} is not an address for {'each page' if is_address else 'pages'}",
                help="write one such as https://git.example.com/docs/edit/main/{path}",
            )
        return text


_PAGE_PLACEHOLDERS = ("path", "title", "url")


@dataclass(frozen=True, slots=True)
class LanguageTag(SettingKind):
    """The tag of a language (BCP 47), empty if none is set."""

    def check(self, written: Any) -> str:
        """Return the tag in its usual case. Raises InvalidSettings."""
        try:
            return read_language(written) if written != "" else ""
        except UnknownLanguage as error:
            raise InvalidSettings(f"{written!r} is not a language tag: {error}") from error


@dataclass(frozen=True, slots=True)
class RecordPattern(SettingKind):
    """A pattern of files with `{number}` in it."""

    def check(self, written: Any) -> str:
        """Return the pattern. Raises InvalidSettings."""
        if not isinstance(written, str):
            raise InvalidSettings(f"{written!r} is not text")
        try:
            if written:
                next(Path("nowhere").glob(written.replace("{number}", "1")), None)
        except (NotImplementedError, ValueError) as error:
            raise InvalidSettings(
                f"{written!r} is not a pattern of files below the pages: {error}"
            ) from error
        return written


MAJORS, ALL, NONE = "majors", "all", "none"
VersionsSetting = str | tuple[str, ...]
VERSIONS_ADVICE = "write majors, all, none, or a list of releases such as ['2.0.0', '1.5.0']"


@dataclass(frozen=True, slots=True)
class Versions(SettingKind):
    """`majors`, the newest release of each earlier major version; `all`, `none`, or a list of versions."""

    default: VersionsSetting = MAJORS

    def check(self, written: Any) -> VersionsSetting:
        """Return the setting as it was meant; an empty one turns it off. Raises InvalidSettings."""
        if written in ("", None, NONE):
            return NONE
        if written in (MAJORS, ALL):
            return str(written)
        if isinstance(written, (list, tuple)):
            for item in written:
                if not isinstance(item, str):
                    raise InvalidSettings(
                        f"'versions' lists {item!r}, which is not a version", help=VERSIONS_ADVICE
                    )
            return tuple(written) or NONE
        raise InvalidSettings(f"'versions' is {written!r}", help=VERSIONS_ADVICE)
