"""The pages that runs provide: none without a run."""

from collections.abc import Iterator, Mapping, Sequence

from devportal.conformance.verification.deployments import deployments_of
from devportal.conformance.verification.index_page import Guide, index_page
from devportal.conformance.verification.runs import Run
from devportal.conformance.verification.status_page import status_page
from devportal.contract import Contract
from devportal.markup import Page


def conformance_pages(
    runs: Sequence[Run],
    contract: Contract,
    *,
    operations: Mapping[str, str],
    checks: str = "",
    guides: Sequence[Guide] = (),
    has_index: bool = True,
) -> Iterator[Page]:
    """Yield the page of the area and that of the status of all deployments; none without runs.

    `operations` has the uri of the page of each operation by its label, such as `POST /v1/orders`; `checks`
    is the uri of the page that explains the checks, if there is one. Without `has_index` there is another
    page of the area.
    """
    if not runs:
        return
    deployments = deployments_of(runs, contract.api)
    if has_index:
        yield index_page(deployments, guides=guides)
    yield status_page(deployments, contract, operations=operations, checks=checks)
