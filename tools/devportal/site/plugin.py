"""The MkDocs plugin: hands generated pages to the theme past the Markdown pipeline.

What is generated comes from `portal` and the modules below it, which do not know MkDocs.
"""

import logging
import operator
import os
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import jinja2
from markupsafe import escape
from mkdocs.config.base import ConfigErrors, ConfigWarnings, ValidationError
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority
from mkdocs.structure.files import Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as SitePage
from mkdocs.utils import CountHandler
from mkdocs.utils.templates import TemplateContext

from devportal.errors import PortalError
from devportal.findings import Finding, Level, in_order
from devportal.gc_pause import gc_paused, keep_all_from_gc
from devportal.language import without_directions
from devportal.markup import url_of
from devportal.markup.words import THEME_FUNCTIONS
from devportal.parallel import processor_count
from devportal.progress import progress_in_log, start_phase
from devportal.project.contracts import settings_beside_contracts
from devportal.project.inputs import Inputs, watched_paths
from devportal.reporting.printable import count_noun
from devportal.site.audiences.pages import remove_pages_of_others
from devportal.site.audiences.site import set_site_of_audience
from devportal.site.cache.file_sizes import sizes_below
from devportal.site.cache.output import SiteOutput, build_digest, last_output, record_output
from devportal.site.cache.site_folder import empty_site_folder, mark_as_site, refuse_folder_of_sources
from devportal.site.cache.store import PageStore, StoredPage, UnusableStore
from devportal.site.cache.targets import remove_targets, target_names
from devportal.site.hand_written.file_names import remove_unaddressable_pages
from devportal.site.hand_written.inserts import Inserts
from devportal.site.language import (
    heading_id,
    interface_for,
    language_of,
    set_theme_language,
    template_values,
)
from devportal.site.leak_search import LeakSearch
from devportal.site.output.llms import write_for_crawlers
from devportal.site.portal import Portal
from devportal.site.portal_reader import PortalReader
from devportal.site.reload.background import BackgroundTask
from devportal.site.reload.causes import has_only_familiar_parts, has_only_familiar_plugins
from devportal.site.reload.served_site import ServedSite
from devportal.site.rendering.bundles import Bundles, add_bundles, bundle_assets
from devportal.site.rendering.engine import (
    add_files,
    separate_areas,
    set_theme_defaults,
    translate_folder_titles,
    translate_theme_defaults,
)
from devportal.site.rendering.environments import THEME
from devportal.site.rendering.page_assets import pack_scripts, remove_console_scripts
from devportal.site.rendering.site_logo import set_site_logo
from devportal.site.rendering.theme_assets import (
    reasons_for_theme_scripts,
    remove_theme_scripts,
)
from devportal.site.served_sandbox import MOCK, SANDBOX_URL, SERVED_API, replace_addresses, sandbox_address
from devportal.site.settings import MkDocsSettings, read_project_inputs, settings_in_theme
from devportal.site.site_build import SiteBuild
from devportal.suggestions import closest_name
from devportal.translation import interface_of

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer  # builds need no server


log = logging.getLogger("mkdocs.plugins.devportal")

COMPARISONS = "comparisons"
"""The folder, beside that of the pages, in which comparisons of releases are kept."""


class DevportalPlugin(BasePlugin[MkDocsSettings]):  # type: ignore[no-untyped-call]  # as in settings
    """Generates the reference and the sections of a portal, and puts them into the site."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self.comparisons: Path | None = None
        """The folder in which comparisons of releases are kept; without it they are for this process."""
        self._inputs: Inputs | None = None
        self._inserts: tuple[tuple[object, ...], Inputs, Inserts] | None = None
        """The inserts of the last build, and what they were made from."""
        self._portal_of_last_build: tuple[StoredPage, ...] = ()
        self._theme_language = ""
        self._reader = PortalReader()
        self._server: LiveReloadServer | None = None
        self._is_served = False
        self._is_dirty = False
        self._served: ServedSite | None = None
        """What is known of the last build of a site that `devportal serve` serves."""
        self._store: PageStore | None = None
        """Keeps pages, and what was written, from build to build; None without a cache."""
        self._before: SiteOutput | None = None
        self._output: SiteOutput | None = None
        self._basis = ""
        self._bundles: Bundles
        self._targets: frozenset[str] = frozenset()
        """The names of the files that MkDocs writes in this build."""
        self._build: SiteBuild | None = None
        self._is_familiar = False
        """Whether it is known of all plug-ins and Markdown extensions what they read."""
        self._writes_pages = False
        """Whether pages with frames are written here, past MkDocs."""
        self._wrong_inserts: tuple[Finding, ...] = ()
        self._page_problems: tuple[Finding, ...] = ()
        self.leak_search = LeakSearch()
        self._rest = BackgroundTask()
        """What is done once a served site shows an edit: the search for leaks."""
        self._problems = CountHandler(level=logging.WARNING)
        self._until_shutdown = ExitStack()
        self._words = ExitStack()
        """Holds the language of our words, from when the contract is read until the build ends."""
        self.served_sandbox = ""
        """The address of the sandbox that runs beside the served pages, empty if none does or in a build."""
        self.processes = processor_count()
        """How many processes may render the reference and search the site."""
        self.setting_warnings: tuple[tuple[str, str], ...] = ()
        """The settings of the project that MkDocs warned of when it loaded them, with the reason."""
        self.audience: str | None = None
        """The audience that the site is for; None for the one in the environment, or else the first."""

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """Take the settings; one that does not exist is an error, where MkDocs would only warn."""
        errors, warnings = super().load_config(options, config_file_path)
        return [
            *errors,
            *((name, ValidationError(text)) for name, text in settings_beside_contracts(options)),
            *((name, ValidationError(self._setting_advice(name, text))) for name, text in warnings),
        ], []

    def _setting_advice(self, name: str, warning: str) -> str:
        """Return what MkDocs warns of, or for a setting that does not exist the one that was probably meant."""
        names = [known for known, _ in self.config_scheme]
        if name in names:
            return warning
        meant = closest_name(name, names)
        return f"there is no such setting{f'. Did you mean {meant!r}?' if meant else ''}"

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Start over. That this method exists makes MkDocs keep the plugin between rebuilds, and builds."""
        self._is_dirty = dirty
        self._is_served = command == "serve"
        self.served_sandbox = os.environ.get(SANDBOX_URL, "").rstrip("/") if self._is_served else ""
        if self._is_served:
            self.leak_search.stops_build = False  # its author sees the problem and can fix it
            logging.getLogger("mkdocs").addHandler(self._problems)
        self._reader = PortalReader()
        self._store, self._before, self._basis, self._served = None, None, "", None
        self._until_shutdown.enter_context(progress_in_log(log))
        if not self._is_served:
            self._until_shutdown.enter_context(gc_paused())

    def follow(self, config: MkDocsConfig, cache: Path) -> None:
        """Keep pages in the file `cache`. The build follows the last one, and writes only changes, if it can."""
        self._store = PageStore(cache)
        self._reader = PortalReader(self._store, cache.parent / "templates")
        self.comparisons = cache.parent.parent / COMPARISONS
        self._basis = build_digest(config)
        if has_only_familiar_plugins(config):
            self._before = last_output(self._store, Path(config.site_dir), self._basis)

    def follow_served(self, config: MkDocsConfig) -> None:
        """Begin a build of a served site, which writes only what has changed since the last one if it can."""
        self._rest.wait()
        self._served = self._served or ServedSite()
        with suppress(PortalError):  # the build will say so
            self.set_audience(config)
        self._before = self._output if self._served.begin(config) else None

    def takes_over_writing(self, config: MkDocsConfig) -> bool:
        """Decide who writes the pages with frames; return whether MkDocs is to run a partial build.

        In that, MkDocs leaves alone what need not be written, and what it need not write: no plug-in but this one has
        a say in those pages.
        """
        self._writes_pages = has_only_familiar_parts(config)
        return self._writes_pages or self._before is not None

    def wait(self) -> None:
        """Wait until all is done that follows a build of a served site, such as the search for leaks."""
        self._rest.wait()

    def on_shutdown(self) -> None:
        """Let go of the cache; pages in a temporary store can still be read."""
        self._rest.wait()
        self._stop_build()
        self._until_shutdown.close()
        self._words.close()
        if self._store is not None and self._basis:
            self._store.close()
            self._store = None
            self._reader.forget_store()

    def on_build_error(self, error: Exception) -> None:  # noqa: ARG002
        """End what still runs for the build."""
        self._stop_build()

    def _stop_build(self) -> None:
        if self._build is not None:
            self._build.stop()

    @event_priority(100)
    def _share_templates(self, config: MkDocsConfig) -> MkDocsConfig:
        """Have templates of the theme compiled once: other plug-ins take some as soon as they start."""
        self._reader.share_templates(config)
        self._is_familiar = has_only_familiar_parts(config)  # before plug-ins add Markdown extensions
        return config

    def _make_portal(self, config: MkDocsConfig) -> MkDocsConfig:
        """Read and render everything, unless nothing has changed since the last build, and set up the theme."""
        self._theme_language = config.theme.get("language") or ""
        try:
            set_theme_defaults(config, THEME)
            self.set_audience(config)
            inputs = self._inputs = self.read_inputs(config)
            refuse_folder_of_sources(config, inputs)
            last = self._reader.portal
            portal = self._reader.update(
                inputs,
                config.theme,
                processes=self.processes,
                served=self._served,
                is_for_one_build=not self._is_served,
                refuses_new_errors=self._server is not None,
            )
            if portal is not last:
                self._watch()
        except PortalError as error:
            raise PluginError(str(error)) from error
        except sqlite3.DatabaseError as error:
            if not self._is_served:
                raise  # a build makes its store again
            raise PluginError(str(UnusableStore.of(error))) from error
        contract = self.portal.material.contract
        if inputs.name_from_contract and contract is not None:
            # MkDocs escapes nothing, and writes it behind other titles
            config.site_name = escape(without_directions(contract.api.title))
        api = contract.api if contract is not None else None
        language, interface = language_of(inputs, api), interface_for(inputs, api)
        self._words.close()
        self._words.enter_context(interface_of(interface))
        set_theme_language(config, language)
        translate_theme_defaults(config)
        config.mdx_configs.setdefault("toc", {}).setdefault("slugify", heading_id)
        config.extra["devportal"] = {
            **template_values(language, interface),
            "has_contract": bool(self.portal.material.contracts),
            "has_apis": bool(inputs.contracts),
            **settings_in_theme(inputs),
            "theme_scripts": self._loads_theme_scripts(config),
            "action_url": url_of(inputs.call_to_action) if inputs.call_to_action else "",
        }
        self._reader.add_logo(set_site_logo(config, contract, has_apis=bool(inputs.contracts)))
        self._report(self.portal.material.findings)
        return config

    on_config = CombinedEvent(_share_templates, _make_portal)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong in the inputs and in the pages written by hand, and what leaks into the site."""
        self._rest.wait()
        return in_order(
            [
                *self.portal.material.findings,
                *self._page_problems,
                *self._wrong_inserts,
                *self.leak_search.leaks,
            ]
        )

    @property
    def inputs(self) -> Inputs:
        """The inputs, read once for each build. Raises RuntimeError before the configuration is loaded."""
        if self._inputs is None:
            raise RuntimeError("the project is read when MkDocs loads its configuration")
        return self._inputs

    @property
    def portal(self) -> Portal:
        """What was read last. Raises RuntimeError before the configuration is loaded."""
        if self._reader.portal is None:
            raise RuntimeError("the portal is read when MkDocs loads its configuration")
        return self._reader.portal

    @property
    def build(self) -> SiteBuild:
        """The build of the pages. Raises RuntimeError before MkDocs has its navigation."""
        if self._build is None:
            raise RuntimeError("pages are built once MkDocs knows its navigation")
        return self._build

    @property
    def output(self) -> SiteOutput:
        """What the last build left in the folder of the site."""
        if self._output is None:
            raise RuntimeError("the site is written when MkDocs has built it")
        return self._output

    def read_inputs(self, config: MkDocsConfig) -> Inputs:
        """Return the inputs of the portal, by the settings.

        Raises InvalidSettings for a `site_url` below which no page can lie, an audience that does not exist, or a
        name that `nav` does not have, and EnvironmentProblem for a plug-in that is not installed.
        """
        return read_project_inputs(
            config,
            self.config,
            theme_language=self._theme_language,
            comparisons=self.comparisons,
            audience=self.audience,
        )

    def set_audience(self, config: MkDocsConfig) -> None:
        """Set what the chosen audience has for itself: address, name, pages and navigation. A server has set the
        address of its pages. Raises InvalidSettings for a folder of pages that cannot be theirs, or a wrong `nav`.
        """
        inputs = self.read_inputs(config)
        set_site_of_audience(config, inputs, keep_address=self._is_served)

    def _loads_theme_scripts(self, config: MkDocsConfig) -> bool:
        return self.inputs.theme_scripts or bool(reasons_for_theme_scripts(config))

    def _report(self, findings: Iterable[Finding]) -> None:
        """Log what is wrong: errors as warnings of MkDocs, which fail a strict build."""
        levels = {Level.ERROR: logging.WARNING, Level.WARNING: logging.INFO, Level.NOTE: logging.INFO}
        for finding in findings:
            log.log(levels[finding.level], "%s", finding)

    def on_pre_build(self, config: MkDocsConfig) -> None:
        """Empty the folder of the site unless the build follows another one."""
        if self._before is None and not self._is_dirty:
            empty_site_folder(Path(config.site_dir))

    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Add the generated pages and files, and remove pages that are for other audiences."""
        self._page_problems = (
            *remove_unaddressable_pages(files, self.inputs),
            *remove_pages_of_others(files, config, self.inputs),
        )
        self._report(self._page_problems)
        for file in files.documentation_pages(inclusion=InclusionLevel.is_in_serve):
            file.is_modified = lambda: True  # type: ignore[method-assign]  # any page may name any other
        add_files(files, self.portal, config)
        if not self.portal.has_console:
            remove_console_scripts(files, THEME)
        self._bundles = bundle_assets(
            files,
            config,
            self.portal.heads,
            theme=THEME,
            has_theme_scripts=self._loads_theme_scripts(config),
        )
        add_bundles(files, config, self._bundles)
        pack_scripts(files, config, THEME)
        if not self._loads_theme_scripts(config):
            remove_theme_scripts(files, config)
        return files

    def on_nav(self, nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
        """Give each generated page its ready body, or have its frame filled."""
        separate_areas(nav)
        if config.nav is None:
            translate_folder_titles(nav)
        self._build = SiteBuild(
            portal=self.portal,
            inputs=self.inputs,
            config=config,
            nav=nav,
            files=files,
            bundles=self._bundles,
            inserts=self._inserts_of_portal(),
            before=self._before,
            kept=self._kept_site,
        )
        try:
            self._wrong_inserts = self._build.start_hand_written_pages(
                self.processes if self._is_familiar else 1
            )
        except PortalError as error:
            raise PluginError(str(error)) from error
        self._report(self._wrong_inserts)
        return nav

    def _inserts_of_portal(self) -> Inserts:
        """Return what makes inserts: as in the last build, if nothing of what they show was read again."""
        shown, inputs = self.portal.material.shown_by_inserts(), self.inputs
        before = self._inserts
        if before is None or before[1] != inputs or not _are_same_objects(before[0], shown):
            before = self._inserts = shown, inputs, self.portal.material.inserts(inputs)
        return before[2]

    @property
    def _kept_site(self) -> ServedSite | None:
        """The served site whose pages are kept; None in a build, and where pages depend on what is not known."""
        return self._served if self._served is not None and self._served.keeps_pages else None

    def on_env(self, env: jinja2.Environment, config: MkDocsConfig, files: Files) -> jinja2.Environment:
        """Make the frames, now that there is all that a page is rendered with."""
        env.globals |= THEME_FUNCTIONS
        start_phase(f"Writing {count_noun(len(files.documentation_pages()), 'page')}")
        env.globals["bundles"] = self._bundles
        self._replace_targets(files, Path(config.site_dir))
        self.build.use_frames(
            env,
            has_same_pages=self._portal_of_last_build is self.portal.pages,
            replaced=self._replaced_addresses(),
        )
        if self._writes_pages:
            self.build.writer.start(self.processes)
        self._portal_of_last_build = self.portal.pages
        return env

    def _replace_targets(self, files: Files, site: Path) -> None:
        """Take what MkDocs is about to write, and remove what it wrote in the last build only."""
        is_written: Callable[[InclusionLevel], bool] = (
            InclusionLevel.is_in_serve if self._is_served else InclusionLevel.is_included
        )
        self._targets = frozenset(target_names(file for file in files if is_written(file.inclusion)))
        if self._before is not None:
            remove_targets(site, self._before.targets - self._targets)
        mark_as_site(site)

    @event_priority(-100)
    def on_page_markdown(self, markdown: str, page: SitePage, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG002
        """Put inserts into a hand-written page."""
        return self.build.insert_into(markdown, page)

    @event_priority(-100)
    def on_page_content(self, html: str, page: SitePage, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG002
        """Take what a hand-written page says, for its Markdown twin, and the assets that it asks for."""
        return self.build.finish_content(html, page)

    @event_priority(100)
    def _mark_cells(self, /, context: TemplateContext, *, page: SitePage, **_: Any) -> TemplateContext:
        """Have the theme's search, which reads the page next, see where cells end."""
        self.build.mark_cells(page)
        return context

    @event_priority(-100)
    def _unmark_cells(self, /, context: TemplateContext, *, page: SitePage, **_: Any) -> TemplateContext:
        """Remove the marks: search has read the page."""
        self.build.unmark_cells(page)
        return context

    on_page_context = CombinedEvent(_mark_cells, _unmark_cells)

    @event_priority(100)
    def on_post_page(self, output: str, page: SitePage, config: MkDocsConfig) -> str:  # noqa: ARG002
        """Return the text of a page, filled into its frame where it has one."""
        writer = self.build.writer
        return writer.text(page) if writer.has(page) else output

    @event_priority(-100)
    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write what is about the whole site, and search all of it for what is not public."""
        site = Path(config.site_dir)
        digests = self.build.finish(self.processes)
        write_for_crawlers(site, config.site_url or "")
        self._output = SiteOutput(
            basis=self._basis, files=sizes_below(site), digests=digests, targets=self._targets
        )
        if self.served_sandbox:
            written = self._kept_site.changed_files(site) if self._kept_site is not None else site.rglob("*")
            replace_addresses(written, self._replaced_addresses())
        if self._store is not None and self._basis:
            record_output(self._store, site, self._output)
        if self._kept_site is not None:
            self._kept_site.end(site)
        if self._before is not None and self._served is not None and not config.strict:
            self._rest.start(lambda: self._finish_shown_site(site))  # the edit is to be seen first
            return
        start_phase(f"Searching {count_noun(len(self._output.files), 'file')} for unpublished values")
        self._search_for_leaks(site)
        self.leak_search.raise_leaks()
        if self._kept_site is not None:
            self._rest.start(keep_all_from_gc)  # builds after edits make little beside it

    def _finish_shown_site(self, site: Path) -> None:
        """Search a site for leaks that shows an edit already, and log what keeps it from being searched."""
        try:
            self._search_for_leaks(site)
        except PluginError as error:
            log.error("%s", error)

    def _search_for_leaks(self, site: Path) -> None:
        """Search a site that was built, and log what is found. Raises PluginError."""
        searched = self._served.searched if self._served is not None else None
        try:
            self.leak_search.run(
                site, self.portal.material, self.inputs, processes=self.processes, searched=searched
            )
        except PortalError as error:  # the contract of another audience cannot be read
            raise PluginError(str(error)) from error

    def _replaced_addresses(self) -> dict[str, str]:
        """Return the address that the one of the sandbox takes the place of in all files, with that."""
        if not self.served_sandbox:
            return {}
        contract = self.portal.material.contract_of(os.environ.get(SERVED_API, ""))
        return {sandbox_address(contract, is_mock=MOCK in os.environ): self.served_sandbox}

    def on_serve(self, server: "LiveReloadServer", config: MkDocsConfig, builder: Any) -> "LiveReloadServer":  # noqa: ARG002
        """Report the first build, rebuild when an input changes, and show why a build fails: also under
        `mkdocs serve`, which ends if the first build does.
        """
        from devportal.site.commands.build_failures import (  # noqa: PLC0415 - slow to import
            show_build_failures,
        )

        logging.getLogger("mkdocs").removeHandler(self._problems)
        if self._reader.portal and (problems := sum(self._problems.counts.values())):
            log.error(
                "Build failed: %s, listed above. The pages are served as they are; saving a fix builds them again.",
                count_noun(problems, "problem"),
            )
        self._server = server
        show_build_failures(server, config, has_pages=True)
        self._watch()
        return server

    def _watch(self) -> None:
        """Have the inputs watched while serving; references may have led to new files since the last time."""
        if self._server is not None:
            for path in watched_paths(self._inputs, *self._reader.contracts) if self._inputs else ():
                watch_path(self._server, path)


def _are_same_objects(first: tuple[object, ...], second: tuple[object, ...]) -> bool:
    return len(first) == len(second) and all(map(operator.is_, first, second))


def watch_path(server: "LiveReloadServer", path: Path) -> None:
    """Have a path watched; if nothing is there, the folder in which it may appear."""
    if path.exists():
        server.watch(str(path))
    else:
        server.watch(str(next(parent for parent in path.parents if parent.is_dir())), recursive=False)
