"""One build of the site, from the navigation that MkDocs makes to the files about all of its pages.

The plug-in lives from build to build; what the events of one build share is here, and gone with it.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

import jinja2
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page as SitePage

from devportal.findings import Finding
from devportal.forked_task import computed_meanwhile
from devportal.markup import plain_text
from devportal.markup.draft import NOT_IN_TWIN
from devportal.markup.markdown import with_scrolling_tables
from devportal.progress import start_phase
from devportal.project.inputs import Inputs
from devportal.site.cache.output import SiteOutput
from devportal.site.hand_written.background import BackgroundPages
from devportal.site.hand_written.code_spans import remove_plain_spans
from devportal.site.hand_written.inline_marks import expand_inline_marks
from devportal.site.hand_written.inserting import InsertReplacer, insert_problems_of_site, without_definitions
from devportal.site.hand_written.inserts import Inserts
from devportal.site.hand_written.pages import HandWrittenPages
from devportal.site.hand_written.snippets import expand_snippets
from devportal.site.mkdocs_messages import warning_text
from devportal.site.navigation import missing_token_page
from devportal.site.output.skills import is_skill_name
from devportal.site.output.twins import TwinPublisher
from devportal.site.output.writer import PageWriter
from devportal.site.overview_files import OverviewFiles
from devportal.site.portal import Portal
from devportal.site.reload.kept_pages import KeptPages
from devportal.site.reload.served_site import ServedSite
from devportal.site.reload.written_pages import Documents
from devportal.site.rendering.bundles import Bundles
from devportal.site.rendering.engine import attach_pages
from devportal.site.rendering.frames import Frames, KnownFrames, can_frame
from devportal.site.rendering.page_assets import assets_of
from devportal.site.rendering.page_links import PageLinks
from devportal.site.rendering.page_texts import SiteTexts
from devportal.site.rendering.structured_data import StructuredData
from devportal.site.rendering.theme_assets import externalise_icons
from devportal.site.rendering.theme_files import missing_theme_files
from devportal.site.search.index import DETAILS_NAME as SEARCH_DETAILS
from devportal.site.search.index import mark_cells, unmark_cells

log = logging.getLogger("mkdocs.plugins.devportal.pages")
"""For what is wrong with a hand-written page: it is reported as MkDocs reports broken links."""

_HEADING_LINK = '<a class="headerlink"'
_INVALID_SKILL = (
    "%s: %r in the front matter cannot be the name of a skill: use lowercase letters, digits and single hyphens, "
    "at most 64 characters"
)
_PAGES_WORTH_A_PROCESS = 1_000
"""The search index of this many pages takes longer than to start another process for it."""


@dataclass(kw_only=True, eq=False)
class SiteBuild:
    """The pages of one build: those that are generated and those that are written by hand."""

    portal: Portal
    inputs: Inputs
    config: MkDocsConfig
    nav: Navigation
    files: Files
    bundles: Bundles
    inserts: Inserts
    before: SiteOutput | None
    """What the build left that this one follows; None if it follows none."""
    kept: ServedSite | None
    """The served site whose pages are kept; None in a build, and where pages depend on what is not known."""
    writer: PageWriter = field(init=False)
    """What writes the generated pages."""
    _background: BackgroundPages | None = field(init=False, default=None)
    _served_pages: Sequence[File] = field(init=False, default=())

    def __post_init__(self) -> None:
        """Give each generated page its ready body, or have its frame filled."""
        self._hand_written = HandWrittenPages()
        self._inserting = InsertReplacer(self.inserts)
        self._twins = TwinPublisher(self.config.site_url or "")
        self._site = Path(self.config.site_dir)
        self._texts = SiteTexts(
            structured_data=StructuredData.of_site(self.config, self.portal.heads),
            links=PageLinks.of_project(self.inputs),
        )
        self.writer = PageWriter(self.portal, self._site, twins=self._twins, before=self.before)
        self.writer.frame(
            attach_pages(self.files, self.portal, self.config, self._texts, use_frames=can_frame(self.config))
        )
        self._kept_pages = self.kept.kept if self.kept is not None else KeptPages()
        self._kept_pages.begin(self._settings_of_pages(), self.files)

    def _settings_of_pages(self) -> str:
        """Return a digest of what the pages of a served site depend on as a whole; empty for another site."""
        if self.kept is None:
            return ""
        of_plugin = self.config.extra["devportal"]
        return self.kept.settings(
            (of_plugin, dict(self.config.theme), str(self.config.site_name), self.bundles.names)
        )

    def start_hand_written_pages(self, processes: int) -> tuple[Finding, ...]:
        """Have up to this many processes render hand-written pages, this one included; return what is wrong with the
        inserts. Raises PortalError.
        """
        documents = self.files.documentation_pages()
        pages = [
            file.page for file in documents if file.page is not None and not self.writer.makes(file.page)
        ]
        self._background = BackgroundPages(self._kept_pages, self.config, self.files, processes=processes)
        self._background.start_python_pages(pages)
        problems = tuple(insert_problems_of_site(self.files, self.inserts, self.inputs))
        self._background.start_other_pages(pages)  # which share the inserts that were just made
        return problems

    def stop(self) -> None:
        """End what still runs for the build."""
        if self._background is not None:
            self._background.stop()
        self.writer.stop()

    def insert_into(self, markdown: str, page: SitePage) -> str:
        """Return the Markdown of a page with its inserts, and take what was rendered of it before."""
        if self.writer.makes(page):
            return markdown
        whole = self._inserting.replace_marks(markdown, page.file.src_uri)
        is_in_background = self._background is not None and self._background.wait_for(page)
        if self.kept is not None:
            self.kept.written.read(page)
        if is_in_background or self.kept is not None:
            self._kept_pages.attach(page, whole)
        return whole

    def finish_content(self, html: str, page: SitePage) -> str:
        """Return the HTML of a page as it is shown. What it says is taken for its Markdown twin, with the assets that
        it asks for.
        """
        if self.writer.makes(page):
            return html
        uri = page.file.src_uri
        whole = self._inserting.replace_placeholders(html, uri)
        snippets = expand_snippets(page.markdown or "", self.config)
        source = expand_inline_marks(snippets, self.config.markdown_extensions)
        self._hand_written.take(page, self._inserting.twin(source, uri), whole)
        assets = assets_of(uri, page.meta, self.files)
        page.meta.update(assets.uris)
        skill = page.meta.get("skill")
        if skill is not None and not (isinstance(skill, str) and is_skill_name(skill)):
            log.warning(_INVALID_SKILL, uri, skill)
        title = plain_text(str(page.title or ""))
        page.meta["page_links"] = self._texts.links.of_hand_written_page(uri, title)
        page.meta["structured_data"] = self._texts.structured_data.of_hand_written_page(
            uri,
            title,
            str(page.meta.get("description") or self.config.site_description or ""),
            _pages_above(page),
        )
        for problem in assets.problems:
            log.warning(problem)
        return with_scrolling_tables(_plain_html(whole))

    def use_frames(self, env: jinja2.Environment, *, has_same_pages: bool, replaced: dict[str, str]) -> None:
        """Make the frames of pages. MkDocs leaves pages and files of a served site alone that have not changed.

        `has_same_pages` says that the generated pages are those of the last build, and `replaced` which addresses are
        replaced in all files.
        """
        are_same = self.kept is not None and self._leave_unchanged_pages(
            self.kept, has_same_pages=has_same_pages, replaced=replaced
        )
        frames = Frames(
            env=env,
            config=self.config,
            nav=self.nav,
            files=self.files.documentation_pages(),
            site=self._texts,
            known=self.kept.frames if self.kept is not None else None,
        )
        self.writer.use(frames, are_same=are_same)

    def _leave_unchanged_pages(
        self, kept: ServedSite, *, has_same_pages: bool, replaced: dict[str, str]
    ) -> bool:
        """Have MkDocs write only the pages and files of a served site that have changed since its last build.

        Returns whether all generated pages and their frames are as in the last build.
        """
        has_same_frames = kept.written.use(self._settings_of_pages(), self.nav)
        are_same = has_same_frames and has_same_pages
        if not has_same_frames:
            kept.frames = KnownFrames()
        self._served_pages = self.files.documentation_pages(inclusion=InclusionLevel.is_in_serve)
        for file in self._served_pages:
            if file.page is not None and not self.writer.makes(file.page):
                file.is_modified = kept.written.decision(file.page)  # type: ignore[method-assign]
            elif are_same:
                file.is_modified = lambda: False  # type: ignore[method-assign]
        kept.take_files(self.files, self.config, replaced)
        return are_same

    def mark_cells(self, page: SitePage) -> None:
        """Have the theme's search, which reads the page next, see where cells end."""
        if self.kept is not None and not self.writer.makes(page):
            self.kept.written.note(page)
        page.content = mark_cells(page.content or "")

    def unmark_cells(self, page: SitePage) -> None:
        """Remove the marks: search has read the page."""
        page.content = unmark_cells(page.content or "")

    def finish(self, processes: int) -> dict[str, str]:
        """Write what is about all pages, such as the search index, and the Markdown twins; return the digests of the
        generated pages.
        """
        overview = OverviewFiles(
            portal=self.portal,
            inputs=self.inputs,
            hand_written=self._hand_written,
            nav=self.nav,
            config=self.config,
            twins=self._twins,
        )
        start_phase("Writing the search index and the Markdown pages")
        is_large = len(self.portal.pages) >= _PAGES_WORTH_A_PROCESS
        with computed_meanwhile(
            partial(overview.search_files, self._site, self._all_documents),
            is_worth_a_process=processes > 1 and is_large and self.kept is None,
        ) as search_files:
            digests = self.writer.finish()
            if problem := missing_token_page(self._site, self.inputs.token_page):
                log.warning(problem)
            for missing in missing_theme_files(self.config, lambda path: (self._site / path).is_file()):
                log.warning("%s", warning_text(missing))
            externalise_icons(self._site)
            self._hand_written.write_twins(self._site, self._twins)
            overview.write_for_agents(self._site)
            (self._site / SEARCH_DETAILS).unlink(missing_ok=True)
            for name, text in search_files().items():
                (self._site / name).write_text(text, encoding="utf-8")
        return digests

    def _all_documents(self, documents: Documents) -> Documents:
        """Return the documents of the theme's search index, those of pages that were not written again included."""
        if self.kept is None:
            return documents
        return self.kept.written.all_documents(documents, self._served_pages)


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
