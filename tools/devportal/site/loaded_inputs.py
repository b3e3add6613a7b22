"""What was read of the inputs of a portal."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from devportal.contract import Api, Contract
from devportal.errors import PortalError, UnreadableInput
from devportal.findings import Finding, Level, join_errors
from devportal.markup import Artefact, Page
from devportal.project.inputs import Inputs
from devportal.project.settings import PortalApi
from devportal.reference.pages.stability import GroundsPages
from devportal.reference.redirects.redirects import RedirectTable
from devportal.reference.reference import reference_of
from devportal.site.apis.cards import ApiCard, api_card
from devportal.site.hand_written.inserts import Inserts
from devportal.site.reload.last_inputs import LastInputs
from devportal.site.sections.section import Section, SectionContext

if TYPE_CHECKING:
    from devportal.catalog import Published
    from devportal.site.versions.editions import EarlierReleases


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedInputs:
    """Everything that was read, and its findings."""

    contract: Contract | None = None
    sections: tuple[Section, ...] = ()
    section_pages: tuple[Page | Artefact, ...] | None = field(default=None, repr=False)
    """The pages of the sections, if there are redirects: reading those needs the pages that they may lead to."""
    redirects: RedirectTable = field(default=RedirectTable(), repr=False)
    grounds: GroundsPages = field(default_factory=GroundsPages, repr=False)
    """The pages that describe the sources and decisions that the contract names."""
    earlier: "EarlierReleases | None" = None
    """The earlier releases that have their own reference."""
    findings: tuple[Finding, ...] = ()
    apis: "tuple[LoadedApi, ...]" = ()
    """The APIs of a portal of several, whose `contract` is None and whose `sections` are those of the whole site."""
    errors: tuple[PortalError, ...] = ()
    """Why contracts of several could not be read."""
    last: LastInputs | None = field(default=None, repr=False, compare=False)
    """What was read and rendered before, in a served portal."""

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """Return the contract, or those of all APIs; none in a portal without."""
        listed = [api.material.contract for api in self.apis] if self.apis else [self.contract]
        return tuple(contract for contract in listed if contract is not None)

    @property
    def api(self) -> Api | None:
        """Return what the only contract describes, None without one and in a portal of several APIs."""
        return self.contract.api if self.contract is not None else None

    def section_context(self, inputs: Inputs) -> SectionContext:
        """Return what the sections are rendered with."""
        references = self.earlier.references(inputs.overview) if self.earlier is not None else {}
        return SectionContext(inputs=inputs, contract=self.contract, references=references)

    def contract_of(self, name: str) -> Contract | None:
        """Return the contract of the API of a name; without a name the only one of the portal."""
        return next(
            (api.material.contract for api in self.apis if api.name == name),
            self.contract,
        )

    def raise_errors(self) -> None:
        """Raise PortalError if a contract of several could not be read, with what is wrong in all of them."""
        if self.errors:
            wrong = [finding for finding in self.findings if finding.level is Level.ERROR]
            messages = filter(None, (join_errors(wrong), *map(str, self.errors)))
            raise UnreadableInput("\nerror: ".join(messages))

    @property
    def _public(self) -> "Published | None":
        return next(
            (section.published_records for section in self.sections if section.published_records), None
        )

    def shown_by_inserts(self) -> tuple[object, ...]:
        """Return all that was read that inserts show: the contract and what is public of the records, or what there
        is of several APIs.
        """
        return (self,) if self.apis else (self.contract, self._public)

    def inserts(self, inputs: Inputs) -> Inserts:
        """Return what makes the inserts of hand-written pages."""
        public = self._public
        if not self.apis:
            return Inserts(self.api, inputs, docs=inputs.docs, public=public)
        references = {api.name: reference_of(api.api, api.inputs) for api in self.apis}
        return Inserts(
            None, inputs, docs=inputs.docs, public=public, apis=references, cards=api_cards_of(self)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedApi:
    """One of several APIs: its inputs, and what was read from them."""

    inputs: Inputs
    material: LoadedInputs

    @property
    def portal_api(self) -> PortalApi:
        """Return its name and title."""
        assert self.inputs.portal_api is not None  # noqa: S101 - it is one of several
        return self.inputs.portal_api

    @property
    def name(self) -> str:
        """Return its name in addresses."""
        return self.portal_api.name

    @property
    def api(self) -> Api:
        """Return what its contract describes."""
        assert self.material.contract is not None  # noqa: S101 - one that cannot be read is left out
        return self.material.contract.api

    @property
    def context(self) -> SectionContext:
        """Return what its sections are rendered with."""
        return self.material.section_context(self.inputs)


def api_cards_of(material: LoadedInputs) -> tuple[ApiCard, ...]:
    """Return the cards of all APIs of a portal, in their order."""
    return tuple(
        api_card(
            api.api,
            api.inputs,
            [section.records(api.context) for section in api.material.sections],
        )
        for api in material.apis
    )
