"""The MkDocs plugin: hands generated pages to the theme past the Markdown pipeline.

What is generated comes from `portal` and the modules below it, which do not know MkDocs.
"""

import logging
import operator
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import jinja2
from markupsafe import escape
from mkdocs.config.base import ConfigErrors, ConfigWarnings, ValidationError
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page as SitePage
from mkdocs.utils import CountHandler
from mkdocs.utils.templates import TemplateContext

from devportal.errors import PortalError
from devportal.findings import Finding, Level, in_order
from devportal.forked_task import computed_meanwhile
from devportal.gc_pause import keep_all_from_gc
from devportal.language import without_directions
from devportal.markup import plain_text, url_of
from devportal.markup.draft import NOT_IN_TWIN
from devportal.markup.markdown import with_scrolling_tables
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
from devportal.site.cache.store import PageStore, StoredPage
from devportal.site.cache.targets import remove_targets, target_names
from devportal.site.hand_written.background import BackgroundPages
from devportal.site.hand_written.code_spans import remove_plain_spans
from devportal.site.hand_written.inserting import InsertReplacer, insert_problems_of_site, without_definitions
from devportal.site.hand_written.inserts import Inserts
from devportal.site.hand_written.pages import HandWrittenPages
from devportal.site.hand_written.snippets import expand_snippets
from devportal.site.language import (
    heading_id,
    interface_for,
    language_of,
    set_theme_language,
    template_values,
)
from devportal.site.leak_search import LeakSearch
from devportal.site.mkdocs_messages import warning_text
from devportal.site.navigation import missing_token_page
from devportal.site.output.llms import write_for_crawlers
from devportal.site.output.skills import is_skill_name
from devportal.site.output.twins import TwinPublisher
from devportal.site.output.writer import PageWriter
from devportal.site.overview_files import OverviewFiles
from devportal.site.portal import Portal
from devportal.site.portal_reader import PortalReader
from devportal.site.reload.background import BackgroundTask
from devportal.site.reload.causes import has_only_familiar_parts, has_only_familiar_plugins
from devportal.site.reload.kept_pages import KeptPages
from devportal.site.reload.served_site import ServedSite
from devportal.site.reload.written_pages import Documents
from devportal.site.rendering.bundles import Bundles, add_bundles, bundle_assets
from devportal.site.rendering.engine import (
    add_files,
    attach_pages,
    separate_areas,
    set_theme_defaults,
    translate_folder_titles,
    translate_theme_defaults,
)
from devportal.site.rendering.frames import Frames, KnownFrames, can_frame
from devportal.site.rendering.page_assets import assets_of, pack_scripts, remove_console_scripts
from devportal.site.rendering.page_links import PageLinks
from devportal.site.rendering.page_texts import SiteTexts
from devportal.site.rendering.site_logo import set_site_logo
from devportal.site.rendering.structured_data import StructuredData
from devportal.site.rendering.theme_assets import (
    externalise_icons,
    reasons_for_theme_scripts,
    remove_theme_scripts,
)
from devportal.site.rendering.theme_files import missing_theme_files
from devportal.site.search.index import DETAILS_NAME as SEARCH_DETAILS
from devportal.site.search.index import mark_cells, unmark_cells
from devportal.site.served_sandbox import MOCK, SANDBOX_URL, SERVED_API, replace_addresses, sandbox_address
from devportal.site.settings import MkDocsSettings, read_project_inputs, settings_in_theme
from devportal.suggestions import closest_name
from devportal.translation import interface_of

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer  # builds need no server


log = logging.getLogger("mkdocs.plugins.devportal")
pages_log = log.getChild("pages")
"""For what is wrong with a hand-written page: it is reported as MkDocs reports broken links."""

_HEADING_LINK = '<a class="headerlink"'
_INVALID_SKILL = (
    "%s: %r in the front matter cannot be the name of a skill: use lowercase letters, digits and single hyphens, "
    "at most 64 characters"
)
_PAGES_WORTH_A_PROCESS = 1_000
"""The search index of this many pages takes longer than to start another process for it."""
COMPARISONS = "comparisons"
"""The folder, beside that of the pages, in which comparisons of releases are kept."""
THEME = Path(__file__).parent / "theme"


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
        self._targets: frozenset[str] = frozenset()
        """The names of the files that MkDocs writes in this build."""
        self._writer: PageWriter | None = None
        self._bundles: Bundles
        self._served_pages: Sequence[File] = ()
        self._hand_written = HandWrittenPages()
        self._kept_pages = KeptPages()
        self._is_familiar = False
        """Whether it is known of all plug-ins and Markdown extensions what they read."""
        self._writes_pages = False
        """Whether pages with frames are written here, past MkDocs."""
        self._background: BackgroundPages | None = None
        self._inserting = InsertReplacer(Inserts(None))
        self._wrong_inserts: tuple[Finding, ...] = ()
        self._page_problems: tuple[Finding, ...] = ()
        self.leak_search = LeakSearch()
        self._rest = BackgroundTask()
        """What is done once a served site shows an edit: the search for leaks."""
        self._problems = CountHandler(level=logging.WARNING)
        self._progress = ExitStack()
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
        self._progress.enter_context(progress_in_log(log))

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
        self._stop_background()
        self._progress.close()
        self._words.close()
        if self._store is not None and self._basis:
            self._store.close()
            self._store = None
            self._reader.forget_store()

    def on_build_error(self, error: Exception) -> None:  # noqa: ARG002
        """End what still runs for the build."""
        self._stop_background()

    def _stop_background(self) -> None:
        if self._background is not None:
            self._background.stop()
        if self._writer is not None:
            self._writer.stop()

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
    def writer(self) -> PageWriter:
        """What writes the generated pages. Raises RuntimeError before MkDocs has its navigation."""
        if self._writer is None:
            raise RuntimeError("pages are written once MkDocs knows its navigation")
        return self._writer

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
        self._page_problems = remove_pages_of_others(files, config, self.inputs)
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
        if self._kept_site is not None:
            self._kept_pages = self._kept_site.kept
            self._kept_pages.begin(self._kept_site.settings(self._page_context(config)), files)
        else:
            self._kept_pages = KeptPages()
            self._kept_pages.begin("", files)
        return files

    def on_nav(self, nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
        """Give each generated page its ready body, or have its frame filled."""
        self._nav = nav
        separate_areas(nav)
        if config.nav is None:
            translate_folder_titles(nav)
        self._hand_written = HandWrittenPages()
        inserts = self._inserts_of_portal()
        self._inserting = InsertReplacer(inserts)
        self._twins = TwinPublisher(config.site_url or "")
        self._writer = PageWriter(
            self.portal,
            Path(config.site_dir),
            twins=self._twins,
            before=self._before,
        )
        self._site_texts = SiteTexts(
            structured_data=StructuredData.of_site(config, self.portal.heads),
            links=PageLinks.of_project(self.inputs),
        )
        self._writer.frame(
            attach_pages(files, self.portal, config, self._site_texts, use_frames=can_frame(config))
        )
        pages = [
            file.page
            for file in files.documentation_pages()
            if file.page is not None and not self._writer.makes(file.page)
        ]
        self._background = BackgroundPages(
            self._kept_pages, config, files, processes=self.processes if self._is_familiar else 1
        )
        self._background.start_python_pages(pages)
        try:
            self._wrong_inserts = tuple(insert_problems_of_site(files, inserts, self.inputs))
        except PortalError as error:
            raise PluginError(str(error)) from error
        self._report(self._wrong_inserts)
        self._background.start_other_pages(pages)  # which share the inserts that were just made
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

    def _page_context(self, config: MkDocsConfig) -> tuple[object, ...]:
        """Return what pages depend on that this plugin makes of its inputs."""
        return (config.extra["devportal"], dict(config.theme), str(config.site_name), self._bundles.names)

    def on_env(self, env: jinja2.Environment, config: MkDocsConfig, files: Files) -> jinja2.Environment:
        """Make the frames, now that there is all that a page is rendered with."""
        env.globals |= THEME_FUNCTIONS
        pages = files.documentation_pages()
        start_phase(f"Writing {count_noun(len(pages), 'page')}")
        env.globals["bundles"] = self._bundles
        self._replace_targets(files, Path(config.site_dir))
        are_same, known = False, None
        if self._kept_site is not None:
            are_same = self._leave_unchanged_pages(self._kept_site, files, config)
            known = self._kept_site.frames
        frames = Frames(
            env=env, config=config, nav=self._nav, files=pages, site=self._site_texts, known=known
        )
        self.writer.use(frames, are_same=are_same)
        if self._writes_pages:
            self.writer.start(self.processes)
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

    def _leave_unchanged_pages(self, kept: ServedSite, files: Files, config: MkDocsConfig) -> bool:
        """Have MkDocs write only the pages and files of a served site that have changed since its last build.

        Returns whether all generated pages and their frames are as in the last build.
        """
        has_same_portal = self._portal_of_last_build is self.portal.pages
        has_same_frames = kept.written.use(kept.settings(self._page_context(config)), self._nav)
        are_same = has_same_frames and has_same_portal
        if not has_same_frames:
            kept.frames = KnownFrames()
        self._served_pages = files.documentation_pages(inclusion=InclusionLevel.is_in_serve)
        for file in self._served_pages:
            if file.page is not None and not self.writer.makes(file.page):
                file.is_modified = kept.written.decision(file.page)  # type: ignore[method-assign]
            elif are_same:
                file.is_modified = lambda: False  # type: ignore[method-assign]
        kept.take_files(files, config, self._replaced_addresses())
        return are_same

    @event_priority(-100)
    def on_page_markdown(self, markdown: str, page: SitePage, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG002
        """Put inserts into a hand-written page."""
        if self.writer.makes(page):
            return markdown
        whole = self._inserting.replace_marks(markdown, page.file.src_uri)
        is_in_background = self._background is not None and self._background.wait_for(page)
        if self._kept_site is not None:
            self._kept_site.written.read(page)
        if is_in_background or self._kept_site is not None:
            self._kept_pages.attach(page, whole)
        return whole

    @event_priority(-100)
    def on_page_content(self, html: str, page: SitePage, config: MkDocsConfig, files: Files) -> str:
        """Take what a hand-written page says, for its Markdown twin, and the assets that it asks for."""
        if self.writer.makes(page):
            return html
        uri = page.file.src_uri
        whole = self._inserting.replace_placeholders(html, uri)
        source = expand_snippets(page.markdown or "", config)
        self._hand_written.take(page, self._inserting.twin(source, uri), whole)
        assets = assets_of(uri, page.meta, files)
        page.meta.update(assets.uris)
        skill = page.meta.get("skill")
        if skill is not None and not (isinstance(skill, str) and is_skill_name(skill)):
            pages_log.warning(_INVALID_SKILL, uri, skill)
        title = plain_text(str(page.title or ""))
        page.meta["page_links"] = self._site_texts.links.of_hand_written_page(uri, title)
        page.meta["structured_data"] = self._site_texts.structured_data.of_hand_written_page(
            uri,
            title,
            str(page.meta.get("description") or config.site_description or ""),
            _pages_above(page),
        )
        for problem in assets.problems:
            pages_log.warning(problem)
        return with_scrolling_tables(_plain_html(whole))

    @event_priority(100)
    def _mark_cells(self, /, context: TemplateContext, *, page: SitePage, **_: Any) -> TemplateContext:
        """Have the theme's search, which reads the page next, see where cells end."""
        if self._kept_site is not None and not self.writer.makes(page):
            self._kept_site.written.note(page)
        page.content = mark_cells(page.content or "")
        return context

    @event_priority(-100)
    def _unmark_cells(self, /, context: TemplateContext, *, page: SitePage, **_: Any) -> TemplateContext:
        """Remove the marks: search has read the page."""
        page.content = unmark_cells(page.content or "")
        return context

    on_page_context = CombinedEvent(_mark_cells, _unmark_cells)

    @event_priority(100)
    def on_post_page(self, output: str, page: SitePage, config: MkDocsConfig) -> str:  # noqa: ARG002
        """Return the text of a page, filled into its frame where it has one."""
        return self.writer.text(page) if self.writer.has(page) else output

    @event_priority(-100)
    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write what is about the whole site, and search all of it for what is not public."""
        site = Path(config.site_dir)
        digests = self._write_overview_files(site, config)
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

    def _write_overview_files(self, site: Path, config: MkDocsConfig) -> dict[str, str]:
        """Write what is about all pages of a site, such as its search index, and the Markdown twins; return the digests
        of its generated pages.
        """
        overview = OverviewFiles(
            portal=self.portal,
            inputs=self.inputs,
            hand_written=self._hand_written,
            nav=self._nav,
            config=config,
            twins=self._twins,
        )
        start_phase("Writing the search index and the Markdown pages")
        is_large = len(self.portal.pages) >= _PAGES_WORTH_A_PROCESS
        with computed_meanwhile(
            partial(overview.search_files, site, self._all_documents),
            is_worth_a_process=self.processes > 1 and is_large and self._kept_site is None,
        ) as search_files:
            digests = self.writer.finish()
            if problem := missing_token_page(site, self.inputs.token_page):
                pages_log.warning(problem)
            for missing in missing_theme_files(config, lambda path: (site / path).is_file()):
                pages_log.warning("%s", warning_text(missing))
            externalise_icons(site)
            self._hand_written.write_twins(site, self._twins)
            overview.write_for_agents(site)
            (site / SEARCH_DETAILS).unlink(missing_ok=True)
            for name, text in search_files().items():
                (site / name).write_text(text, encoding="utf-8")
        return digests

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

    def _all_documents(self, documents: Documents) -> Documents:
        """Return the documents of the theme's search index, those of pages that were not written again included."""
        if self._kept_site is None:
            return documents
        return self._kept_site.written.all_documents(documents, self._served_pages)

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


def _pages_above(page: SitePage) -> list[tuple[str, str]]:
    """Return title and uri of the first page of each section that a page is in, from the outermost on."""
    sections = [ancestor for ancestor in page.ancestors if isinstance(ancestor, Section)][::-1]
    firsts = [
        next((child for child in each.children if isinstance(child, SitePage)), page) for each in sections
    ]
    return [(plain_text(str(first.title)), first.file.src_uri) for first in firsts if first is not page]


@lru_cache(maxsize=2_000)
def _plain_html(html: str) -> str:
    """Return the HTML of a hand-written page without what readers have no use for: worked out once in a process."""
    plain = without_definitions(remove_plain_spans(html))
    return plain.replace(_HEADING_LINK, f"{_HEADING_LINK} {NOT_IN_TWIN}")


def _are_same_objects(first: tuple[object, ...], second: tuple[object, ...]) -> bool:
    return len(first) == len(second) and all(map(operator.is_, first, second))


def watch_path(server: "LiveReloadServer", path: Path) -> None:
    """Have a path watched; if nothing is there, the folder in which it may appear."""
    if path.exists():
        server.watch(str(path))
    else:
        server.watch(str(next(parent for parent in path.parents if parent.is_dir())), recursive=False)
