"""The links at the end of a page: to edit its source, and to say what is wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from posixpath import join
from urllib.parse import quote, urljoin

from devportal.contract.path_templates import fill_placeholders
from devportal.markup import url_of
from devportal.project.inputs import Inputs


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLinks:
    """The addresses of the settings `edit_url` and `feedback_url`, and what their placeholders stand for.

    `docs` is the folder of the pages and `contract` the contract, both from the folder of `mkdocs.yml`; empty
    if they are not below it.
    """

    edit_url: str = ""
    feedback_url: str = ""
    site_url: str = ""
    docs: str = ""
    contract: str = ""
    contracts: Mapping[str, str] = field(default_factory=dict)
    """The same of several APIs, by the folders of their references."""

    @classmethod
    def of_project(cls, inputs: Inputs) -> "PageLinks":
        """Take the settings of a project."""
        return cls(
            edit_url=inputs.edit_url,
            feedback_url=inputs.feedback_url,
            site_url=inputs.site_url,
            docs=_path_below(inputs.root, inputs.docs),
            contract=_path_below(inputs.root, inputs.contract),
            contracts={
                f"{api_inputs.reference_folder}/": _path_below(inputs.root, api_inputs.contract)
                for api_inputs in inputs.apis
            },
        )

    def of_hand_written_page(self, uri: str, title: str) -> Mapping[str, str]:
        """Return the addresses of the links of a page by their names, `edit` and `feedback`; empty for none."""
        return self._links(uri, title, join(self.docs, uri) if self.docs else "")

    def of_generated_page(self, uri: str, title: str) -> Mapping[str, str]:
        """Return the same for a generated page: the source of the reference is the contract. Pages of records,
        entries and results are made from many files, and have no link for editing.
        """
        of_api = next((path for folder, path in self.contracts.items() if uri.startswith(folder)), "")
        return self._links(uri, title, of_api or (self.contract if uri.startswith("reference/") else ""))

    def _links(self, uri: str, title: str, source: str) -> Mapping[str, str]:
        if not (self.edit_url or self.feedback_url):
            return {}
        address = urljoin(self.site_url, url_of(uri)) if self.site_url else f"/{url_of(uri)}"
        values = {"path": quote(source), "title": quote(title, safe=""), "url": quote(address, safe="")}
        return {
            "edit": fill_placeholders(self.edit_url, values) if source else "",
            "feedback": fill_placeholders(self.feedback_url, values),
        }


def _path_below(root: Path, path: Path | None) -> str:
    return path.relative_to(root).as_posix() if path is not None and path.is_relative_to(root) else ""
