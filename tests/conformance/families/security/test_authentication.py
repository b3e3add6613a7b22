# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""Who has no valid credential does not get in; who has one does, however the scheme is spelled."""

import base64
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.security import authentication
from tests.conformance.credential_sets import single_credential
from tests.conformance.families.asking import boxes, failed_operations, run_family
from tests.conformance.families.servers.boxes import CONTRACT, MAIN, Boxes, Caller, Refusal

READ, MAKE = "GET /v1/boxes/{box_id}", "POST /v1/boxes"
FAMILY = authentication.FAMILY


def variant(folder: Path, *changes: tuple[str, str]) -> Path:
    """Return the contract with some of its lines said otherwise."""
    text = CONTRACT.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "boxes.yaml"
    path.write_text(text)
    return path


class Forbids(Boxes):
    """Right where the contract has no 401: answers 403 to a wrong token."""

    def caller(self, request: Request) -> Caller:
        try:
            return super().caller(request)
        except Refusal as refusal:
            raise Refusal(403, "no") from refusal


class RefusesOddHeaders(Boxes):
    """Right: its HTTP server refuses long headers and bytes beyond ASCII before the API sees them."""

    def caller(self, request: Request) -> Caller:
        given = request.headers.get("authorization", "")
        if len(given) > 2000:
            raise Refusal(431, "too long")
        if not given.isascii():
            raise Refusal(400, "bad header")
        return super().caller(request)


class KeyInHeader(Boxes):
    """Right: takes a key in a header of its own, and says nothing of schemes."""

    def caller(self, request: Request) -> Caller:
        caller = self.tokens.get(request.headers.get("x-api-key", ""))
        if caller is None:
            raise Refusal(401, "no key")
        return caller


class UserAndPassword(Boxes):
    """Right: HTTP Basic."""

    def caller(self, request: Request) -> Caller:
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        wanted = base64.b64encode(b"clerk:a-long-password").decode()
        if scheme.lower() != "basic" or given != wanted:
            raise Refusal(401, "no", WWW_Authenticate='Basic realm="boxes"')
        return Caller(account="main")


BEARER = "type: http\n      scheme: bearer"


def test_right_servers_are_silent(tmp_path: Path) -> None:
    """Servers that differ within what contract and RFCs allow raise no alarm."""
    without_401 = variant(tmp_path, ("        '401': *problem\n", ""))

    assert not run_family(FAMILY, Boxes()).failures
    assert not run_family(FAMILY, RefusesOddHeaders()).failures
    assert not run_family(FAMILY, Forbids(), boxes(without_401)).failures


def test_api_keys_are_tried_too(tmp_path: Path) -> None:
    """A key in a header has no scheme and needs no challenge; in a query it does not count."""
    contract = variant(tmp_path, (BEARER, "type: apiKey\n      in: header\n      name: X-Api-Key"))
    subject = boxes(contract)

    class InQueryToo(KeyInHeader):
        def caller(self, request: Request) -> Caller:
            if request.query_params.get("X-Api-Key") == MAIN:
                return Caller(account="main")
            return super().caller(request)

    assert not run_family(FAMILY, KeyInHeader(), subject).failures
    assert (READ, "the credential in the query is accepted") in failed_operations(
        run_family(FAMILY, InQueryToo(), subject).failures
    )


def test_passwords_are_tried_too(tmp_path: Path) -> None:
    """HTTP Basic needs both: who knows only the user does not get in."""
    contract = variant(tmp_path, (BEARER, "type: http\n      scheme: basic"))
    subject = replace(boxes(contract), parties=single_credential("clerk:a-long-password"))

    class UserIsEnough(UserAndPassword):
        def caller(self, request: Request) -> Caller:
            _, _, given = request.headers.get("authorization", "").partition(" ")
            if given.startswith(base64.b64encode(b"clerk:").decode()):
                return Caller(account="main")
            return super().caller(request)

    assert not run_family(FAMILY, UserAndPassword(), subject).failures
    assert (READ, "the right user with a wrong password is accepted") in failed_operations(
        run_family(FAMILY, UserIsEnough(), subject).failures
    )


class LetsAllIn(Boxes):
    def caller(self, request: Request) -> Caller:
        return Caller(account="main")


class TakesAnyToken(Boxes):
    def caller(self, request: Request) -> Caller:
        return Caller(account="main") if "authorization" in request.headers else super().caller(request)


class TakesBeginnings(Boxes):
    def caller(self, request: Request) -> Caller:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        known = len(token) > 5 and any(text.startswith(token) for text in self.tokens)
        return Caller(account="main") if known else super().caller(request)


class TakesAnyScheme(Boxes):
    def caller(self, request: Request) -> Caller:
        known = self.tokens.get(request.headers.get("authorization", "").split(" ")[-1])
        return known or super().caller(request)


class TakesBareTokens(Boxes):
    def caller(self, request: Request) -> Caller:
        known = self.tokens.get(request.headers.get("authorization", ""))
        return known or super().caller(request)


class TakesTokensInAddresses(Boxes):
    def caller(self, request: Request) -> Caller:
        known = self.tokens.get(request.query_params.get("access_token", ""))
        return known or super().caller(request)


class KnowsOneSpelling(Boxes):
    def caller(self, request: Request) -> Caller:
        if not request.headers.get("authorization", "").startswith("Bearer "):
            raise Refusal(401, "who are you?", WWW_Authenticate="Bearer")
        return super().caller(request)


class BreaksOnLongTokens(Boxes):
    def caller(self, request: Request) -> Caller:
        if len(request.headers.get("authorization", "")) > 1000:
            raise Refusal(500, "oops")
        return super().caller(request)


class BreaksBeyondAscii(Boxes):
    def caller(self, request: Request) -> Caller:
        if not request.headers.get("authorization", "").isascii():
            raise Refusal(500, "oops")
        return super().caller(request)


class LooksBeforeItAsks(Boxes):
    """Says 404 to everybody, which tells who is nobody what is there."""

    def answer(self, request: Request, body: bytes) -> Response:
        prefix, _, key = request.url.path.rpartition("/")
        if prefix == "/v1/boxes" and ("main", key) not in self.boxes:
            raise Refusal(404, "there is no such box")
        return super().answer(request, body)


class AsksWithoutSayingHow(Boxes):
    def stamp(self, request: Request, response: Response) -> None:
        if response.status_code == 401:
            del response.headers["www-authenticate"]


class OpensOneOperation(Boxes):
    def caller(self, request: Request) -> Caller:
        known = request.method == "PATCH" and "authorization" in request.headers
        return Caller(account="main") if known else super().caller(request)


class OpensSealing(Boxes):
    """What can be done once with each box is open to everybody."""

    def caller(self, request: Request) -> Caller:
        is_open = request.url.path.endswith("/seal")
        return Caller(account="main") if is_open else super().caller(request)


class OpensDeleting(Boxes):
    def caller(self, request: Request) -> Caller:
        return Caller(account="main") if request.method == "DELETE" else super().caller(request)


@pytest.mark.parametrize(
    ("app", "fault"),
    [
        (LetsAllIn, (READ, "a request without a credential is accepted")),
        (TakesAnyToken, (READ, "a wrong credential is accepted")),
        (TakesBeginnings, (READ, "the credential without its last character is accepted")),
        (TakesAnyScheme, (READ, "the credential under an unknown scheme is accepted")),
        (TakesBareTokens, (READ, "the credential without its scheme is accepted")),
        (TakesTokensInAddresses, (READ, "the credential in the query is accepted")),
        (KnowsOneSpelling, (READ, "the scheme name in lower case is not accepted")),
        (KnowsOneSpelling, (MAKE, "the scheme name in upper case is not accepted")),
        (BreaksOnLongTokens, (READ, "a very long credential is not rejected with 401")),
        (BreaksBeyondAscii, (READ, "a credential beyond ASCII is not rejected with 401")),
        (
            LooksBeforeItAsks,
            (READ, "a request for a missing resource without a credential is not rejected with 401"),
        ),
        (AsksWithoutSayingHow, (READ, "a 401 does not say how to authenticate")),
        (OpensSealing, ("POST /v1/boxes/{box_id}/seal", "a request without a credential is accepted")),
        (OpensDeleting, ("DELETE /v1/boxes/{box_id}", "a request without a credential is accepted")),
        (OpensOneOperation, ("PATCH /v1/boxes/{box_id}", "a wrong credential is accepted")),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_each_wrong_server_is_told(app: type[Boxes], fault: tuple[str, str]) -> None:
    """What lets the wrong in, or keeps the right out, is confirmed and told for its operation."""
    assert fault in failed_operations(run_family(FAMILY, app()).failures)


def test_where_anybody_gets_in_one_fault_is_told() -> None:
    """Each further wrong credential that is taken there too is the same fault."""
    faults = [
        title
        for operation, title in failed_operations(run_family(FAMILY, TakesAnyToken()).failures)
        if operation == READ
    ]

    assert faults == ["a wrong credential is accepted"]


def test_a_contract_without_401_is_not_quoted(tmp_path: Path) -> None:
    """A credential is required all the same."""
    without_401 = variant(tmp_path, ("        '401': *problem\n", ""))
    messages = [
        {
            failure.message.partition("; ")[2]
            for failure in run_family(FAMILY, TakesAnyToken(), *subject).failures
            if failure.fails
        }
        for subject in ([], [boxes(without_401)])
    ]

    assert messages == [{"the contract documents 401"}, {"its `security` requires 401 or 403"}]


def test_what_is_shown_has_no_secret() -> None:
    """Each attempt with a part of the secret is masked, in addresses too."""
    log = run_family(FAMILY, TakesTokensInAddresses())

    assert not any(
        MAIN in repr(exchange) or MAIN[:-1] in repr(exchange) for exchange in (*log.exchanges, *log.failures)
    )
