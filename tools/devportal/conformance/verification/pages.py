"""The pages that runs provide: none without a run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from devportal.conformance.verification.apis_page import VerifiedApi, apis_page
from devportal.conformance.verification.deployments import deployments_of
from devportal.conformance.verification.index_page import INDEX, Guide, index_page
from devportal.conformance.verification.runs import Run
from devportal.conformance.verification.status_page import STATUS, status_page
from devportal.contract import Contract
from devportal.markup import Page
from devportal.translation import gettext


def conformance_pages(
    runs: Sequence[Run],
    contract: Contract,
    *,
    operations: Mapping[str, str],
    checks: str = "",
    guides: Sequence[Guide] = (),
    has_index: bool = True,
) -> Iterator[Page]:
    """Yield the page of the area and that of the status of all deployments; without runs, they say that.

    `operations` has the uri of the page of each operation by its label, such as `POST /v1/orders`; `checks`
    is the uri of the page that explains the checks, if there is one. Without `has_index` there is another
    page of the area.
    """
    deployments = deployments_of(runs, contract.api)
    if has_index:
        yield index_page(deployments, guides=guides)
    yield status_page(deployments, contract, operations=operations, checks=checks)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRuns:
    """The runs of one of several APIs: its title, the uri of the page of its results, and those of its operations."""

    title: str
    status: str
    runs: tuple[Run, ...] = field(repr=False)
    contract: Contract = field(repr=False)
    operations: Mapping[str, str] = field(repr=False)


def api_status_uri(name: str) -> str:
    """Return the uri of the page with the results of one of several APIs."""
    return f"conformance/api/{name}.md"


def conformance_pages_of_apis(
    apis: Sequence[ApiRuns], *, checks: str = "", guides: Sequence[Guide] = (), has_index: bool = True
) -> Iterator[Page]:
    """Yield the page of the status of several APIs, and a page with the results of each that has runs.

    The other parameters are as of `conformance_pages`.
    """
    tested = [
        (api_runs, deployments_of(api_runs.runs, api_runs.contract.api)) for api_runs in apis if api_runs.runs
    ]
    views = [
        VerifiedApi(title=api_runs.title, status=api_runs.status, deployments=deployments)
        for api_runs, deployments in tested
    ]
    if has_index:
        yield apis_page(views, uri=INDEX, title=gettext("Conformance"), guides=guides)
    yield apis_page(views, uri=STATUS, title=gettext("Conformance status"))
    for api_runs, deployments in tested:
        yield status_page(
            deployments,
            api_runs.contract,
            operations=api_runs.operations,
            checks=checks,
            uri=api_runs.status,
            title=gettext("Conformance status of %(api)s", api=api_runs.title),
        )
