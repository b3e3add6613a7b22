"""The settings of the plugin in `mkdocs.yml`: paths are relative to it, an empty one turns a part off."""

from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.config import config_options as options
from mkdocs.config.base import BaseConfigOption, Config, ValidationError

from devportal.errors import InvalidSettings
from devportal.language import UnknownLanguage, read_language
from devportal.site.versions.version_setting import MAJORS, VersionsSetting, parse_setting


class Versions(BaseConfigOption[VersionsSetting]):
    """`majors`, the newest release of each earlier major version; `all`, `none`, or a list of versions."""

    def __init__(self) -> None:
        """Begin with what a project gets that says nothing."""
        super().__init__()
        self.default = MAJORS

    def run_validation(self, value: Any) -> VersionsSetting:
        """Return the setting as it was meant. Raises ValidationError."""
        try:
            return parse_setting(value)
        except InvalidSettings as error:
            raise ValidationError(str(error)) from error


class PageUri(BaseConfigOption[str]):
    """The uri of a page, outside the folders of rates, coverage, changelog and conformance."""

    _TAKEN = ("assets", "changelog", "conformance", "coverage", "rates", "search")

    def __init__(self, default: str) -> None:
        """Take what a project gets that says nothing."""
        super().__init__()
        self.default = default

    def run_validation(self, value: Any) -> str:
        """Return the uri. Raises ValidationError."""
        uri = PurePosixPath(str(value))
        is_plain = isinstance(value, str) and value == uri.as_posix() and not uri.is_absolute()
        if not is_plain or uri.suffix != ".md" or ".." in uri.parts or "\\" in value:
            raise ValidationError(f"{value!r} is no page below the site: write it as 'reference/index.md' is")
        if uri.parts[0] in self._TAKEN:
            raise ValidationError(f"{value!r} lies where other pages are made: take another folder")
        return str(value)


class Language(BaseConfigOption[str]):
    """The tag of a language (BCP 47), empty if none is set."""

    def __init__(self) -> None:
        """Begin with what a project gets that says nothing."""
        super().__init__()
        self.default = ""

    def run_validation(self, value: Any) -> str:
        """Return the tag in its usual case. Raises ValidationError."""
        try:
            return read_language(value) if value != "" else ""
        except UnknownLanguage as error:
            raise ValidationError(f"{value!r} is not a language tag: {error}") from error


class RecordPattern(BaseConfigOption[str]):
    """A pattern of files with `{number}` in it."""

    def __init__(self) -> None:
        """Begin with nothing: no part of the contract leads to a record."""
        super().__init__()
        self.default = ""

    def run_validation(self, value: Any) -> str:
        """Return the pattern. Raises ValidationError."""
        if not isinstance(value, str):
            raise ValidationError(f"{value!r} is no text")
        try:
            if value:
                next(Path("nowhere").glob(value.replace("{number}", "1")), None)
        except (NotImplementedError, ValueError) as error:
            raise ValidationError(f"{value!r} is no pattern of files below the pages: {error}") from error
        return value


class Settings(Config):  # type: ignore[no-untyped-call]  # MkDocs leaves __init_subclass__ untyped
    """What a portal is made from."""

    contract = options.Type(str, default="openapi/openapi.yaml")
    """The OpenAPI file."""
    allow_outside_references = options.Type(bool, default=False)
    """Whether the contract may refer to files outside its folder. Nothing is ever read from the network."""
    overview = PageUri("reference/index.md")
    """The uri of the page of the whole contract; `index.md` makes it the home page."""
    name_from_contract = options.Type(bool, default=False)
    """Whether the site is called as the contract is, whatever `site_name` says."""
    language = Language()
    """The language of the site as a tag (BCP 47): `ja`, `pt-BR`. By default that of the contract
    (`x-language`), else that of the theme.

    See [contracts in other languages](your-contract.md#other-languages).
    """
    records = options.Type(str, default="")
    """The folder of rate and coverage records with its audit log."""
    sources = options.Type(str, default="")
    """The page, below the folder of the pages, that describes what `x-source` in the contract names:
    `about/service.md`.

    The anchor of a place is its name as an address has it: `{ #limits-4 }` for `Limits 4`.
    """
    decisions = RecordPattern()
    """Where the record of each `x-decision` is, below the folder of the pages: `decisions/{number}-*.md`."""
    redirects = options.Type(str, default="")
    """What was renamed or moved: a file; by default `redirects.yaml` beside the contract, if there is one."""
    strict_redirects = options.Type(bool, default=True)
    """Whether a redirect to a page outside the reference that this site does not have is an error, or only
    noted and left out: the file may be for another site of the contract, as it may where
    `devportal build --contract` makes a site of the contract alone.
    """
    changelog = options.Type(str, default="")
    """The folder of changelog entries."""
    releases = options.Type(str, default="")
    """The folder of published contracts, by which the changelog is proven; by default `releases` beside the
    contract, if there is one.
    """
    versions = Versions()
    """Which earlier releases have a reference of their own beside the present one."""
    results = options.Type(str, default="")
    """The folder of JSON reports of conformance runs."""
    plugins = options.ListOfItems(options.Type(str), default=[])
    """The plug-ins whose inserts and checks the pages show, each by the name of its package:
    `[parcels-devportal]`. A conformance run has a list of its own, in conformance.yaml.
    """
    policy = options.Type(str, default="")
    """How the differ judges what the rules leave open: a file, see `devportal diff --policy`."""
    feed = options.Type(bool, default=True)
    """Whether the changelog and the rates have feeds, which need `site_url`; without them no file, link or
    announcement is left.
    """
    feed_authority = options.Type(str, default="")
    """The domain in the permanent ids of feed items (RFC 4151), by default the host of `site_url`.

    Another one makes every reader announce all items anew: set it before the site moves to another host.
    """
    rate_history = options.Type(bool, default=True)
    """Whether pages show the rate and coverage versions that a public version has replaced."""
    console = options.Choice(("auto", "always", "never"), default="auto")
    """Whether operations can be [tried on their pages](your-contract.md#try-it): with `auto` where the
    contract names a sandbox server, with `always` or `never` whatever it names.
    """
    fonts = options.Type(bool, default=True)
    """Whether the site brings fonts of its own, Inter and JetBrains Mono; without, readers' own are named."""
    theme_scripts = options.Type(bool, default=False)
    """Whether pages load the theme's own scripts even where no feature that is asked for needs them."""
