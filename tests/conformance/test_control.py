"""A request beside one that says the same in other words: how often each is sent, and what that tells."""

from contextlib import suppress
from dataclasses import dataclass, field, replace

import pytest

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.knowledge.requests.request_variants import (
    EquivalentRequest,
    compare_equivalent_requests,
)
from devportal.contract import Operation
from tests.conformance.running import CONTRACT, SendInOrder
from tests.conformance.values import exchange
from tests.contracts import contract_at

REGISTER = contract_at(CONTRACT).api.operations[0]
PLAIN = Request(method="POST", url="http://127.0.0.1:1/plain")
OTHER = EquivalentRequest(title="another spelling", request=replace(PLAIN, url="http://127.0.0.1:1/other"))


@dataclass(slots=True)
class Deployment(SendInOrder):
    """A deployment that gives some answers in turn, the last one for ever; `asked` is what it was asked."""

    plain: list[int]
    other: list[int]
    asked: list[str] = field(default_factory=list)

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:  # noqa: ARG002 - a promise
        """Answer a request."""
        name = request.url.rpartition("/")[2]
        statuses = self.plain if name == "plain" else self.other
        self.asked.append(name)
        return replace(exchange(statuses.pop(0) if statuses[1:] else statuses[0], {}), request=request)


def test_who_understands_is_not_asked_plainly() -> None:
    """Where another spelling is taken there is nothing to compare."""
    deployment = Deployment([200], [200])

    assert compare_equivalent_requests(REGISTER, PLAIN, OTHER, REGISTER.location, deployment) is None
    assert deployment.asked == ["other"]


def test_what_is_refused_in_other_words_alone_is_a_fault() -> None:
    """The same is taken plainly, before and after."""
    deployment = Deployment([200], [415])

    fault = compare_equivalent_requests(REGISTER, PLAIN, OTHER, REGISTER.location, deployment)

    assert fault is not None
    assert fault.title == "another spelling is not understood"
    assert deployment.asked == ["other", "plain", "other", "plain"]


@pytest.mark.parametrize(
    ("plain", "other"),
    [([422], [422]), ([200, 422], [422]), ([200], [422, 200]), ([200], [409])],
    ids=["both are refused", "taken once only", "taken later", "refused for another reason"],
)
def test_what_proves_nothing_is_no_fault(plain: list[int], other: list[int]) -> None:
    """What the server refuses anyway, takes only once, takes later, or has a conflict with."""
    with suppress(Unsendable):
        assert (
            compare_equivalent_requests(REGISTER, PLAIN, OTHER, REGISTER.location, Deployment(plain, other))
            is None
        )
