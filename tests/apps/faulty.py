# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""Wrong servers of `parcels.yaml`: each breaks one promise, and names the check that must notice."""

import json
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.apps.parcels import TOKEN, Parcels, Refusal


class WrongSuccessStatus(Parcels):
    def created_response(self, parcel: dict[str, Any]) -> Response:
        return self.json(parcel, 200)


class MissingField(Parcels):
    def created_response(self, parcel: dict[str, Any]) -> Response:
        return self.json({name: value for name, value in parcel.items() if name != "state"}, 201)


class WrongIdPrefix(Parcels):
    def created_response(self, parcel: dict[str, Any]) -> Response:
        return self.json({**parcel, "id": parcel["id"].replace("pcl_", "parcel_")}, 201)


class UndocumentedStatus(Parcels):
    def validate(self, data: Any) -> None:
        try:
            super().validate(data)
        except Refusal as refusal:
            raise Refusal(418, "teapot", "The body does not fit.") from refusal


class NoAuthentication(Parcels):
    def authenticate(self, request: Request) -> None:
        return


class AnyToken(Parcels):
    def authenticate(self, request: Request) -> None:
        if not request.headers.get("authorization", "").lower().startswith("bearer "):
            super().authenticate(request)


class TokenPrefixIsEnough(Parcels):
    def authenticate(self, request: Request) -> None:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not (len(token) > 5 and TOKEN.startswith(token)):
            super().authenticate(request)


class ForbiddenInsteadOfUnauthorized(Parcels):
    def authenticate(self, request: Request) -> None:
        try:
            super().authenticate(request)
        except Refusal as refusal:
            raise Refusal(403, "forbidden", "No valid token.") from refusal


class RepeatedIds(Parcels):
    def new_id(self) -> str:
        return "pcl_1"


class ProblemStatusDiffers(Parcels):
    def json(
        self, body: Any, status: int, kind: str = "application/json", headers: dict[str, str] | None = None
    ) -> Response:
        if status == 422:
            body = {**body, "status": 400}
        return super().json(body, status, kind, headers)


class RequestIdDiffers(Parcels):
    def stamp(self, response: Response, request_id: str) -> None:
        super().stamp(response, request_id[::-1])


class NoRequestId(Parcels):
    def stamp(self, response: Response, request_id: str) -> None:
        if response.status_code != 201:
            super().stamp(response, request_id)


class ProblemAsPlainJson(Parcels):
    def json(
        self, body: Any, status: int, kind: str = "application/json", headers: dict[str, str] | None = None
    ) -> Response:
        return super().json(body, status, "application/json", headers)


class MalformedJsonCrashes(Parcels):
    def parse(self, body: bytes) -> Any:
        return json.loads(body)


class LoneSurrogateCrashes(Parcels):
    def validate(self, data: Any) -> None:
        super().validate(data)
        data.get("note", "").encode("utf-8")


class AnyMediaType(Parcels):
    def media_type(self, request: Request) -> None:
        return


class NoAllow(Parcels):
    async def wrong_method(self, request: Request, allowed: tuple[str, ...]) -> Response:
        raise Refusal(405, "method", f"No {request.method} here.")


class AnyMethod(Parcels):
    async def wrong_method(self, request: Request, allowed: tuple[str, ...]) -> Response:
        return self.json({}, 200)


class TooHeavyIsAccepted(Parcels):
    def validate(self, data: Any) -> None:
        weight = data.get("weight_g") if isinstance(data, dict) else None
        super().validate({**data, "weight_g": 30000} if weight == 30001 else data)

    def created_response(self, parcel: dict[str, Any]) -> Response:
        return super().created_response({**parcel, "weight_g": min(parcel["weight_g"], 30000)})


class HeaviestIsRefused(Parcels):
    def validate(self, data: Any) -> None:
        super().validate(data)
        if data["weight_g"] >= 20000:
            raise Refusal(422, "invalid", "The body does not fit.")


class EverythingIsRefused(Parcels):
    def validate(self, data: Any) -> None:
        raise Refusal(422, "not-carried", "We carry nothing.")


class Together(
    MissingField,
    RepeatedIds,
    ProblemStatusDiffers,
    RequestIdDiffers,
    NoRequestId,
    MalformedJsonCrashes,
    AnyMediaType,
    NoAllow,
    TokenPrefixIsEnough,
    TooHeavyIsAccepted,
):
    """Has the faults that do not hide each other, for one run instead of ten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A wrong server and the check that must find it; `phases` are those of Schemathesis that it takes."""

    app: type[Parcels]
    check: str
    phases: tuple[str, ...] = ("examples",)


COVERAGE = ("coverage",)
FAULTS = (
    Fault(app=WrongSuccessStatus, check="status_code_conformance"),
    Fault(app=MissingField, check="response_schema_conformance"),
    Fault(app=WrongIdPrefix, check="response_schema_conformance"),
    Fault(app=UndocumentedStatus, check="status_code_conformance", phases=COVERAGE),
    Fault(app=NoAuthentication, check="authentication"),
    Fault(app=AnyToken, check="authentication"),
    Fault(app=TokenPrefixIsEnough, check="authentication"),
    Fault(app=ForbiddenInsteadOfUnauthorized, check="authentication"),
    Fault(app=RepeatedIds, check="unique-ids"),
    Fault(app=ProblemStatusDiffers, check="problem-details", phases=COVERAGE),
    Fault(app=RequestIdDiffers, check="problem-details"),
    Fault(app=NoRequestId, check="response_headers_conformance"),
    Fault(app=ProblemAsPlainJson, check="documented-responses"),
    Fault(app=MalformedJsonCrashes, check="odd-bodies"),
    Fault(app=LoneSurrogateCrashes, check="odd-bodies"),
    Fault(app=AnyMediaType, check="media-types"),
    Fault(app=NoAllow, check="methods"),
    Fault(app=AnyMethod, check="methods"),
    Fault(app=TooHeavyIsAccepted, check="negative_data_rejection", phases=COVERAGE),
    Fault(app=HeaviestIsRefused, check="valid-data", phases=COVERAGE),
    Fault(app=EverythingIsRefused, check="some-success"),
)
TOGETHER = tuple(fault for fault in FAULTS if issubclass(Together, fault.app))
"""The faults of `Together`, each with the check that must find it."""
