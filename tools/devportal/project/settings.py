"""The settings of a project: each is declared here, once, and nowhere else.

A setting is an attribute: its kind says how it is written and the value that it becomes, its docstring is
what the manual has of it. MkDocs reads the settings of `mkdocs.yml` by these declarations, and every command
gets the values in one frozen `devportal.project.inputs.Inputs`.
"""

import ast
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from devportal.project.audiences import Audience, Audiences
from devportal.project.contracts import Contracts, ContractSettings
from devportal.project.setting_kinds import (
    AddressTemplate,
    Choice,
    ContactAddress,
    Flag,
    LanguageTag,
    NavEntries,
    NavPage,
    PageLink,
    PageUri,
    PluginNames,
    ProjectFiles,
    ProjectPath,
    RecordPattern,
    RootAddress,
    SampleLanguages,
    SettingKind,
    SettingsFile,
    SiteFolders,
    SynonymGroups,
    Synonyms,
    Text,
    Versions,
    VersionsSetting,
)

_KIND = "kind"


def setting(kind: SettingKind) -> Any:
    """Declare a setting: the value of the attribute is what the kind makes of what is written."""
    return field(default=kind.unset, metadata={_KIND: kind})


def generated_folders() -> frozenset[str]:
    """Return the folders of a site that hold generated pages or files, those of the reference apart."""
    return frozenset({"assets", "search"}.union(*(kind.pages for kind in path_settings().values())))


REFERENCE = "reference"
"""The folder of the reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedSchema:
    """A schema in a file that several APIs refer to: where it is in the contract of one of them, and its one page.

    `location` is a file and the tokens of a pointer. The page is made from the contract of the first of the APIs.
    """

    location: tuple[str, tuple[str, ...]]
    uri: str
    is_first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalApi:
    """One of several APIs of a portal: its name in addresses, its title, and the schemas that others have too."""

    name: str
    title: str
    shared_schemas: tuple[SharedSchema, ...] = field(default=(), repr=False)
    shares_folder: bool = field(default=False, compare=False, repr=False)
    """Whether another contract of the project is in the folder of this one's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a portal is made from. Paths are relative to `mkdocs.yml`; an empty one turns a part off."""

    contract: Path | None = setting(ProjectPath("openapi/openapi.yaml"))
    """The OpenAPI file."""
    contracts: tuple[ContractSettings, ...] = setting(Contracts())
    """Several APIs in one portal, each with its contract, in place of `contract`: `{orders: {file: orders.yaml},
    payments: {file: payments.yaml, changelog: changelog/payments}}`. See [several APIs](several-apis.md).
    """
    allow_outside_references: bool = setting(Flag())
    """Whether the contract may refer to files outside its folder. Nothing is ever read from the network."""
    overlays: tuple[Path, ...] = setting(ProjectFiles())
    """The OpenAPI Overlays (1.0 or 1.1) that change the contract before anything reads it, in this order:
    `[partner.overlay.yaml]`. See [overlays](your-contract.md#overlays).
    """
    audiences: tuple[Audience, ...] = setting(Audiences())
    """Readers who get their own site from the same contract: `{public: {}, partner: {overlays:
    [partner.overlay.yaml]}}`. Write those who may see the least first. See [audiences](audiences.md).
    """
    overview: str = setting(PageUri("reference/index.md", taken=generated_folders, in_theme=True))
    """The uri of the page of the whole contract; `index.md` makes it the home page."""
    name_from_contract: bool = setting(Flag())
    """Whether the site is called as the contract is, whatever `site_name` says."""
    language: str = setting(LanguageTag())
    """The language of the site as a tag (BCP 47): `ja`, `pt-BR`. By default that of the contract
    (`x-language`), else that of the theme. The toolkit's own words are in that language if there is a
    [translation](languages.md), else in English.

    See [contracts in other languages](your-contract.md#other-languages).
    """
    translations: tuple[Path, ...] = setting(ProjectFiles(example="[pt-BR.po]"))
    """Your own [translations](languages.md#your-own-translation) of the toolkit's words, each file called by its
    language: `[pt-BR.po]`. What a file does not translate comes from the toolkit's, else it is English.
    """
    records: Path | None = setting(ProjectPath(pages=("coverage", "rates")))
    """The folder of rate and coverage records with its audit log."""
    sources: str = setting(Text())
    """The page, below the folder of the pages, that describes what `x-source` in the contract names:
    `about/service.md`.

    The anchor of a place is its name as an address has it: `{ #limits-4 }` for `Limits 4`.
    """
    decisions: str = setting(RecordPattern())
    """Where the record of each `x-decision` is, below the folder of the pages: `decisions/{number}-*.md`."""
    redirects: Path | None = setting(ProjectPath(beside="redirects.yaml"))
    """What was renamed or moved: a file; by default `redirects.yaml` beside the contract, if there is one."""
    strict_redirects: bool = setting(Flag(default=True))
    """Whether a redirect to a page outside the reference that this site does not have is an error, or only
    noted and left out: the file may be for another site of the contract, as it may where
    `devportal build --contract` makes a site of the contract alone.
    """
    baseline: Path | None = setting(ProjectPath(beside="baseline.yaml"))
    """The [known problems of the contract](new-portal.md#known-problems), which `devportal check` accepts: a
    file; by default `baseline.yaml` beside the contract, if there is one.
    """
    changelog: Path | None = setting(ProjectPath(pages=("changelog",)))
    """The folder of changelog entries."""
    releases: Path | None = setting(ProjectPath(beside="releases/"))
    """The folder of published contracts, by which the changelog is proven; by default `releases` beside the
    contract, if there is one.
    """
    versions: VersionsSetting = setting(Versions())
    """Which earlier releases have their own reference beside the present one."""
    results: Path | None = setting(ProjectPath(pages=("conformance",)))
    """The folder of JSON reports of conformance runs."""
    plugins: tuple[str, ...] = setting(PluginNames())
    """The plug-ins whose inserts and checks the pages show, each by the name of its package:
    `[parcels-devportal]`. A conformance run has a separate list, in conformance.yaml.
    """
    policy: Path | None = setting(ProjectPath())
    """How the differ judges what the rules leave open: a file, see `devportal diff --policy`."""
    feed: bool = setting(Flag(default=True))
    """Whether the changelog and the rates have feeds, which need `site_url`; without them no file, link or
    announcement is left.
    """
    feed_authority: str = setting(Text())
    """The domain in the permanent ids of feed items (RFC 4151), by default the host of `site_url`.

    Another one makes every reader announce all items again: set it before the site moves to another host.
    """
    notifications: str = setting(ContactAddress())
    """Where readers ask for notifications by [`devportal notify`](commands/notify.md): the page of the feeds
    links to it. By default it has no such link.
    """
    rate_history: bool = setting(Flag(default=True))
    """Whether pages show the rate and coverage versions that a public version has replaced."""
    console: str = setting(Choice("auto", choices=("auto", "always", "never")))
    """Whether operations can be [tried on their pages](your-contract.md#try-it): with `auto` where the
    contract names a sandbox server, with `always` or `never` whatever it names.
    """
    contract_links: str = setting(RootAddress())
    """Where relative links in the contract's descriptions lead, such as `[x](/docs/auth)`: its author may have
    written them [for another site](your-contract.md#links-of-the-author).

    With `auto`, to the site that the contract names as its documentation, contact and terms of service, if all
    of these are on one host. Without such a site, and for links such as `[x](auth.md)`, pages show the text and
    the address. By default they lead into the portal.
    """
    contract_samples: str = setting(Choice("add", choices=("add", "replace")))
    """What `x-codeSamples` of an operation do: `add` shows them before the generated samples, `replace` shows
    them alone.
    """
    sample_languages: tuple[str, ...] = setting(SampleLanguages())
    """The [languages of generated code samples](your-contract.md#sample-languages), in the order in which pages
    and the console show them: `[python, curl, java]`. The first one is in the Markdown version of a page.
    """
    edit_url: str = setting(AddressTemplate(needed="{path}"))
    """Where readers can edit the source of a page: `https://git.example.com/docs/edit/main/{path}`. Pages end
    with a link to it.

    `{path}` is the file from the folder of `mkdocs.yml`: that of a page written by hand, or the contract for
    pages of the reference. Other generated pages have no such link.
    """
    feedback_url: str = setting(AddressTemplate())
    """Where readers can say what is wrong with a page: an address, of a form or with `mailto:`. Pages end with
    a link to it. It may have `{title}` and `{url}` of the page, and `{path}` as in `edit_url`:
    `https://git.example.com/docs/issues/new?title={title}&body={url}`.

    Nothing is sent before a reader follows the link. See [links home](look.md#links-home).
    """
    footer: tuple[str, ...] = setting(NavEntries(in_theme=True))
    """The top-level entries of `nav` that are columns of the footer instead of tabs: `[About, Contributing]`.
    Their pages also show them beside the tabs.

    See [tabs and footer](look.md#tabs-and-footer).
    """
    call_to_action: str = setting(NavPage(in_theme=True))
    """The page that the button in the header leads to: `guides/first-request.md`. Its title in `nav` is the
    text of the button. Without this setting there is no button.
    """
    token_page: str = setting(PageLink())
    """Where readers get a token for an account: the console links to it beside the field for the token.

    A page below the folder of the pages, such as `guides/authentication.md#issue-tokens`, or an address. By
    default the page of the reference about authentication.
    """
    sandbox_token: str = setting(Text())
    """Where readers get a token for the sandbox, in a sentence: `It prints one when it starts.` The console
    shows it beside the field for the token while a sandbox is chosen.
    """
    search_synonyms: SynonymGroups = setting(Synonyms())
    """Words and phrases that your readers use for the same thing: `[[parcel, package], [sign up, register]]`.

    The [search](search.md#synonyms) knows common ones already. Your groups are added to them.
    """
    search_secondary: tuple[str, ...] = setting(SiteFolders())
    """Folders whose pages [come later in search results](search.md#order): pages for few readers."""
    fonts: bool = setting(Flag(default=True, in_theme=True))
    """Whether the site brings its own fonts, Inter and JetBrains Mono; without, readers' own are named."""
    theme_scripts: bool = setting(Flag(in_theme=True))
    """Whether pages load the theme's own scripts even where no feature that is asked for needs them."""
    portal_api: PortalApi | None = None
    """The API of a portal of several that these settings are for; None for the project as a whole. No setting."""

    @property
    def reference_folder(self) -> str:
        """Return the folder of the pages of the contract."""
        return f"{REFERENCE}/{self.portal_api.name}" if self.portal_api is not None else REFERENCE

    @property
    def contract_folder(self) -> str:
        """Return the folder, with `/` at its end, of the contract as files: the root if there is one contract."""
        return f"{self.reference_folder}/" if self.portal_api is not None else ""

    @property
    def choices(self) -> tuple[object, ...]:
        """The values of all settings that are not paths, in order: pages made by other ones are made again."""
        own = tuple(getattr(self, name) for name in setting_kinds() if name not in path_settings())
        api = self.portal_api
        return own if api is None else (*own, api.name, api.title, api.shared_schemas)


@lru_cache(maxsize=1)
def setting_kinds() -> Mapping[str, SettingKind]:
    """Return the kind of each setting by its name, in the order in which they are declared."""
    return {item.name: item.metadata[_KIND] for item in fields(Settings) if _KIND in item.metadata}


def path_settings() -> Mapping[str, ProjectPath]:
    """Return the settings that name a file or folder of the project."""
    return {name: kind for name, kind in setting_kinds().items() if isinstance(kind, ProjectPath)}


@lru_cache(maxsize=1)
def setting_docstrings() -> Mapping[str, str]:
    """Return what stands below each attribute of the class: Python keeps no docstrings of attributes."""
    body = ast.parse(inspect.getsource(Settings)).body[0]
    statements = body.body if isinstance(body, ast.ClassDef) else []
    return {
        statement.target.id: inspect.cleandoc(following.value.value)
        for statement, following in pairwise(statements)
        if isinstance(statement, ast.AnnAssign)
        and isinstance(statement.target, ast.Name)
        and statement.target.id in setting_kinds()
        and isinstance(following, ast.Expr)
        and isinstance(following.value, ast.Constant)
        and isinstance(following.value.value, str)
    }


def setting_values(checked: Mapping[str, Any], at: SettingsFile) -> dict[str, Any]:
    """Return the value of every setting, from what their kinds have checked. Raises PortalError."""
    kinds = setting_kinds()
    checked = {**checked, "contract": ""} if checked["contracts"] else checked
    at = replace(at, contract=kinds["contract"].value(checked["contract"], at))
    return {name: kind.value(checked[name], at) for name, kind in kinds.items()}
