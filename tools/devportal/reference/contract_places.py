"""Where the reference shows what somebody names: an operation or a shared part, and a place in it.

Places are written as `devportal.differ.fields` describes. Where a place has no anchor that is sure to be
there, what leads to it is: the part of the page, or the page.
"""

import re
from functools import cached_property

from devportal.contract import Api, Operation, Schema
from devportal.reference.addresses import Addresses, addresses_of, events
from devportal.reference.anchors import anchor_text
from devportal.reference.shapes import Shapes

_MEDIA_TYPE = re.compile(r"\([^()]*\)")
_FIRST_STEP = re.compile(r"\.?([^.\[|:]+)")
_RESPONSE = re.compile(r"response\.([^.\[|:(]+)")


class ContractPlaces:
    """The pages and anchors of the parts of one contract."""

    def __init__(self, api: Api, addresses: Addresses) -> None:
        """Take the contract, and where its parts are shown."""
        self._api = api
        self._addresses = addresses
        self._shapes = Shapes(api, None)

    def uri(self, owner: str, field: str = "") -> str:
        """Return the uri of a place, with its anchor; nothing where no page is sure to show it.

        `owner` is `POST /v1/orders`, the name of an event, `schemas/Order`, or empty for the contract.
        """
        if not owner:
            return self._addresses.overview
        section, slash, name = owner.partition("/")
        if slash and " " not in section and owner not in self._requests:
            return self._component(section, name, field)
        found = self._requests.get(owner)
        if found is None:
            return ""
        operation, uri = found
        anchor = self._anchor(operation, _MEDIA_TYPE.sub("", field))
        return f"{uri}#{anchor_text(anchor)}" if anchor else uri

    @cached_property
    def _requests(self) -> dict[str, tuple[Operation, str]]:
        sent = {webhook.name: (one, self._addresses.event(one)) for webhook, one in events(self._api)}
        return sent | {
            f"{one.method} {one.path}": (one, self._addresses.operation(one)) for one in self._api.operations
        }

    @cached_property
    def _schemas(self) -> dict[str, Schema]:
        return {one.name: one for one in self._api.schemas.values()}

    def _component(self, section: str, name: str, field: str) -> str:
        if section == "securitySchemes" and name in self._addresses.scheme_anchors:
            return self._addresses.scheme(name)
        schema = self._schemas.get(name) if section == "schemas" else None
        uri = self._addresses.schemas.get(schema.location) if schema is not None else None
        if schema is None or uri is None:
            return ""
        member = self._member(schema, field)
        return f"{uri}#{anchor_text(member)}" if member else uri

    def _member(self, schema: Schema, field: str) -> str:
        """Return the first step of a way through a schema, if it is a property that the schema has."""
        step = _FIRST_STEP.match(field)
        members = self._shapes.members(self._shapes.core(schema)) if step else ()
        return next((one.name for one in members if step and one.name == step[1]), "")

    def _anchor(self, operation: Operation, field: str) -> str:
        if any(f"{one.location_in}.{one.name}" == field for one in operation.parameters):
            return field
        if field.startswith("request") and operation.request_body is not None:
            return "body"
        answered = _RESPONSE.match(field)
        if answered and any(one.status == answered[1] for one in operation.responses):
            return f"response.{answered[1]}"
        return "authorization" if field == "security" and self._api.security_schemes else ""


def contract_places(
    api: Api, *, folder: str = "reference", overview: str = "reference/index.md"
) -> ContractPlaces:
    """Return the places of a contract whose pages are below `folder`, that of the whole at `overview`."""
    return ContractPlaces(api, addresses_of(api, folder=folder, overview=overview))
