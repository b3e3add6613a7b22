"""Reads what a portal is made from and renders it, again only if something of it has changed since the last build."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.theme import Theme

from devportal.contract import Contract
from devportal.findings import Finding, Level, count_errors
from devportal.markup import Artefact
from devportal.project.inputs import Inputs, fingerprint
from devportal.site.cache.store import PageStore
from devportal.site.load_inputs import load_inputs
from devportal.site.portal import Portal, render_portal
from devportal.site.reload.last_inputs import LastInputs
from devportal.site.reload.served_site import ServedSite
from devportal.site.rendering.environments import (
    CompiledTemplates,
    compiling_templates,
    speed_up_environments,
)

_MOST_SHOWN = 3
"""How many errors of a contract a served page names."""


class PortalReader:
    """The portal of a project from build to build of one process."""

    def __init__(self, store: PageStore | None = None, templates: Path | None = None) -> None:
        """Start with nothing read. Pages are kept in the `store`, by default one for this process; compiled templates
        in the folder `templates`, if there is one.
        """
        self._store = store
        self._templates = templates
        self._compiled: CompiledTemplates | None = None
        self._portal: Portal | None = None
        self._fingerprint = ""

    @property
    def portal(self) -> Portal | None:
        """What was read last; None before anything is."""
        return self._portal

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """The contracts that were read last; none before anything is read."""
        return self._portal.material.contracts if self._portal is not None else ()

    def keep(self, portal: Portal, inputs: Inputs) -> None:
        """Take a portal that was made of inputs as they are now."""
        self._portal, self._fingerprint = portal, fingerprint(inputs, *portal.material.contracts)

    def add_logo(self, files: tuple[Artefact, ...]) -> None:
        """Add the files of a logo that no setting chose."""
        if self._portal is not None:
            self._portal = replace(self._portal, logo_files=files)

    def forget_store(self) -> None:
        """Take no pages from the store any more, because it is closed: the next update makes another one."""
        self._store, self._fingerprint = None, ""

    def share_templates(self, config: MkDocsConfig) -> None:
        """Have templates of the theme compiled once."""
        self._compiled = speed_up_environments(config.theme, self._templates)

    def update(
        self,
        inputs: Inputs,
        theme: Theme,
        *,
        processes: int,
        served: ServedSite | None = None,
        is_for_one_build: bool = False,
        refuses_new_errors: bool = False,
    ) -> Portal:
        """Read and render everything, unless nothing has changed since the last build, and return it.

        With `refuses_new_errors`, PluginError is raised for errors that the last one did not have, so that a server
        keeps its pages. Raises PortalError.
        """
        before = fingerprint(inputs, *self.contracts)
        if self._portal is not None and before == self._fingerprint:
            return self._portal
        contracts, self._fingerprint = self.contracts, ""
        self._store = self._store or PageStore(is_for_one_build=is_for_one_build)
        try:
            with self._compiling_templates(inputs, theme, processes):
                last = served.last_inputs if served is not None else None
                material = load_inputs(inputs, last, processes=processes)
                material.raise_errors()
                if refuses_new_errors and self._portal is not None:
                    _refuse_new_errors(self._portal.material.findings, material.findings)
            self._portal = render_portal(
                material, inputs, self._store, compiled=self._compiled, processes=processes
            )
        finally:
            is_settled = fingerprint(inputs, *contracts) == before
            if served is not None and not is_settled:  # who knows what of an edit was read
                served.last_inputs = LastInputs()
        if is_settled:
            self._fingerprint = fingerprint(inputs, *self.contracts)
        return self._portal

    def _compiling_templates(
        self, inputs: Inputs, theme: Theme, processes: int
    ) -> AbstractContextManager[object]:
        """Have all templates compiled while the block reads what they show, if none were compiled before."""
        has_contract = inputs.contract is not None or inputs.contracts
        if processes < 2 or not has_contract or self._compiled is None or not self._compiled.is_empty:
            return nullcontext()
        from devportal.reference.rendering import load_templates  # noqa: PLC0415 - builds may have nothing to render

        return compiling_templates(theme, partial(load_templates, self._compiled))


def _refuse_new_errors(before: Iterable[Finding], findings: Iterable[Finding]) -> None:
    """Raise PluginError if there were no errors before and are now."""
    errors = [finding for finding in findings if finding.level is Level.ERROR]
    if errors and not count_errors(before):
        more = f"\n… and {len(errors) - _MOST_SHOWN:,} more" if len(errors) > _MOST_SHOWN else ""
        raise PluginError("\n".join(str(error) for error in errors[:_MOST_SHOWN]) + more)
