"""The files of a site that are about all of its pages: its search index, `llms.txt` and the skills for agents."""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.nav import Navigation

from devportal.contract import Api
from devportal.markup import url_of
from devportal.project.inputs import Inputs
from devportal.reference.addresses import OPENAPI_JSON
from devportal.reference.pages.introduction import brief_text, introduction_of
from devportal.site.hand_written.pages import HandWrittenPages
from devportal.site.output.llms import SiteSummary, llms_entries, write_llms
from devportal.site.output.skills import ApiDocumentation, Skill, api_skill, write_skills
from devportal.site.output.twins import TwinPublisher
from devportal.site.portal import Portal
from devportal.site.reload.written_pages import Documents
from devportal.site.search.index import INDEX_NAME as SEARCH_INDEX
from devportal.site.search.index import merged_search_indexes
from devportal.translation import gettext


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewFiles:
    """These files of one site, and what they are made from."""

    portal: Portal
    inputs: Inputs
    hand_written: HandWrittenPages
    nav: Navigation
    config: MkDocsConfig
    twins: TwinPublisher

    def search_files(self, site: Path, complete: Callable[[Documents], Documents]) -> dict[str, str]:
        """Return the search index of a built site and the one with details, by their file names; none if the theme
        made none. `complete` adds what was not written again.
        """
        described = {
            url_of(llms_entry.uri): llms_entry.description
            for llms_entry in self.hand_written.llms_entries(self.nav)
        }
        return merged_search_indexes(
            site / SEARCH_INDEX,
            self.portal.heads,
            described,
            definitions=self.hand_written.definitions(),
            synonyms=self.inputs.search_synonyms,
            secondary=self.inputs.search_secondary,
            apis={
                api.name: (
                    api.portal_api.title,
                    [url_of(shared.uri) for shared in api.portal_api.shared_schemas],
                )
                for api in self.portal.material.apis
            },
            complete=complete,
        )

    def write_for_agents(self, site: Path) -> None:
        """Write the skills, and `llms.txt` with what belongs to it."""
        skills = tuple(self._skills(site))
        write_skills(site, skills)
        write_llms(
            site,
            replace(self._summary(), has_skills=bool(skills)),
            lambda uri: self.twins.among_others(uri, (site / uri).read_text(encoding="utf-8")),
        )

    def _skills(self, site: Path) -> Iterator[Skill]:
        """Yield the skills of the contracts and those of guides; none if the site has no address to give to agents."""
        if not self.config.site_url:
            return
        material = self.portal.material
        alone = [(material.contract.api, self.inputs)] if material.contract is not None else []
        for api, inputs in [(loaded.api, loaded.inputs) for loaded in material.apis] or alone:
            if (site / inputs.overview).is_file():
                yield api_skill(_documentation(api, inputs, self.config.site_url, site))
        yield from self.hand_written.skills(self.twins)

    def _summary(self) -> SiteSummary:
        """Return what there is to say of the site as a whole."""
        contract = self.portal.material.contract
        api = contract.api if contract is not None else None
        title = api.title if api is not None and self.inputs.name_from_contract else self.config.site_name
        description = self.config.site_description or (
            brief_text(api.summary or introduction_of(api), 300) if api is not None else ""
        )
        heads = [head for head in self.portal.heads if head.is_listed]
        generated = llms_entries(heads, overview=self.inputs.overview, apis=self._titles_by_folder())
        return SiteSummary(
            title=title,
            description=description,
            url=self.config.site_url or "",
            language=self.config.extra["devportal"]["language"],
            has_contract=api is not None,
            apis=self._titles_by_folder(),
            changes=self._list_of_changes(),
            pages=(*self.hand_written.llms_entries(self.nav), *generated),
        )

    def _titles_by_folder(self) -> dict[str, str]:
        """Return the titles of several APIs by the folders of their references."""
        return {api.inputs.reference_folder: api.portal_api.title for api in self.portal.material.apis}

    def _list_of_changes(self) -> str:
        """Return the uri of the list of changes for programs, empty if the site has none."""
        if all(inputs.changelog is None for inputs in (self.inputs, *self.inputs.apis)):
            return ""
        from devportal.changelog.pages.change_list import CHANGES  # noqa: PLC0415 - slow to import

        return next((artefact.uri for artefact in self.portal.artefacts if artefact.uri == CHANGES), "")


def _documentation(api: Api, inputs: Inputs, site_url: str, site: Path) -> ApiDocumentation:
    """Return what the skill of a contract says, by the files of a built site."""
    url = f"{site_url.rstrip('/')}/"
    pages = {gettext("Authentication"): "authentication.md", gettext("Errors"): "errors/index.md"}
    folder = posixpath.dirname(inputs.overview) or "reference"
    known = {f"{folder}/{uri}": words for words, uri in pages.items()} | {
        "changelog/index.md": gettext("Changes")
    }
    return ApiDocumentation(
        title=inputs.portal_api.title if inputs.portal_api is not None else api.title,
        description=brief_text(api.summary or introduction_of(api).partition("\n\n")[0], 300),
        url=url,
        contract=f"{url}{inputs.contract_folder}{OPENAPI_JSON}",
        overview=(site / inputs.overview).read_text(encoding="utf-8"),
        name=inputs.portal_api.name if inputs.portal_api is not None else "api",
        pages=tuple((words, f"{url}{uri}") for uri, words in known.items() if (site / uri).is_file()),
    )
