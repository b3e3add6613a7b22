"""A contract as a Postman collection, format 2.1: a folder per group, a request per operation.

The format is that of schema.getpostman.com/json/collection/v2.1.0. Ids follow from names, so that a new
version of the contract updates a collection instead of making another.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from devportal.contract import Api, Example, Group, Location, MediaType, Operation, Response
from devportal.contract.wire_format.serialisation import address_text, field_value
from devportal.documents import to_json
from devportal.markup import plain_text
from devportal.reference.exports.postman_request import (
    NO_AUTH,
    Access,
    Json,
    access_of,
    credential_variables,
    partial_variables,
    request_of,
)
from devportal.reference.samples.sample_requests import NamedBody, sample_bodies
from devportal.reference.schema.examples import is_body_text
from devportal.reference.wording import format_json
from devportal.translation import gettext

SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierCollection:
    """The collection of a contract before an edit, as JSON, and which of its items stay as they are."""

    text: str = field(repr=False)
    is_same_operation: Callable[[Operation], bool]
    """Whether nothing but descriptions of an operation may have changed."""
    may_change_text: Callable[[str], bool]
    """Whether a text has a description that has changed."""

    def items(self, auth: Json, base_urls: Sequence[Json]) -> dict[str, Json]:
        """Return the items without a description that has changed, by id; none if requests inherit other credentials
        now, or have other variables for the addresses that they are sent to.
        """
        collection = json.loads(self.text)
        if collection["auth"] != auth or collection["variable"][: len(base_urls)] != base_urls:
            return {}
        listed = (item for folder in collection["item"] for item in folder["item"])
        if self.may_change_text(self.text):
            listed = (item for item in listed if not self.may_change_text(to_json(item)))
        return {item["id"]: item for item in listed}


def postman_collection(api: Api, earlier: EarlierCollection | None = None) -> Json:
    """Return the collection of the operations of an API. Events are sent by others, so they are not in it.

    What has not changed is taken from an `earlier` one.
    """
    accesses = {operation.key: access_of(api, operation) for operation in api.operations}
    shared = _most_common_auth([access.auth for access in accesses.values()])
    bases = _base_url_variables(api)
    base_urls = [_base_url_variable(name, address) for address, name in bases.items()]
    collection = _Collection(
        api=api,
        id=uuid5(NAMESPACE_URL, f"devportal:{api.title}"),
        bases=bases,
        accesses=accesses,
        auth=shared,
        earlier=earlier,
        earlier_items=earlier.items(shared, base_urls) if earlier is not None else {},
    )
    items = list(collection.folders())
    return {
        "info": {
            "_postman_id": str(collection.id),
            "name": api.title,
            "description": api.description,
            "version": api.version,
            "schema": SCHEMA,
        },
        "item": items,
        "auth": shared,
        "variable": list(_variables(api, base_urls, items)),
    }


def _most_common_auth(auths: list[Json]) -> Json:
    """Return the credentials that most requests need: those inherit them from the collection."""
    counted = Counter(json.dumps(auth) for auth in auths)
    found: Json = json.loads(counted.most_common(1)[0][0]) if counted else NO_AUTH
    return found


def _base_url_variables(api: Api) -> dict[str, str]:
    """Return the variable for each address that operations are sent to, by the address as it is written."""
    names: dict[str, str] = {}
    for servers in (api.servers, *(operation.servers for operation in api.operations)):
        address = servers[0].url if servers else ""
        if servers or not names:
            names.setdefault(address, f"baseUrl{len(names) + 1 if names else ''}")
    return names


def _variables(api: Api, base_urls: Iterable[Json], items: list[Json]) -> Iterator[Json]:
    """Yield the variables of the collection, each name once: first those of addresses.

    The last ones are texts of examples that look like a variable, such as `{{$guid}}`: each has itself as value.
    """
    found: dict[str, Json] = {base_url["key"]: base_url for base_url in base_urls}
    servers = [
        *api.servers[:1],
        *(server for operation in api.operations for server in operation.servers[:1]),
    ]
    for variable in (variable for server in servers for variable in server.variables):
        found.setdefault(
            variable.name,
            {
                "key": variable.name,
                "value": address_text(variable.default or ""),
                "type": "string",
                "description": _server_words(variable.description, variable.enum),
            },
        )
    partial = (
        partial_variable
        for operation in api.operations
        for partial_variable in partial_variables(api, operation)
    )
    for credential_variable in (*credential_variables(api), *partial):
        found.setdefault(credential_variable["key"], credential_variable)
    for text in _sent_texts(items):
        for name in _VARIABLE.findall(text):
            found.setdefault(name, {"key": name, "value": f"{{{{{name}}}}}", "type": "string"})
    yield from found.values()


_VARIABLE = re.compile(r"\{\{([^{}]*)\}\}")


def _sent_texts(value: Any) -> Iterator[str]:
    """Yield the texts that the requests of a part of a collection send."""
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _sent_texts(item)
        case dict():
            for name, member in value.items():
                if name not in ("description", "name", "response"):
                    yield from _sent_texts(member)


def _server_words(description: str, values: tuple[str, ...]) -> str:
    return " ".join(
        filter(None, (description, gettext("One of %(values)s.", values=", ".join(values)) if values else ""))
    )


def _base_url_variable(name: str, written: str) -> Json:
    """Return the variable with a server's address; without a host, readers fill it in."""
    address = _PLACEHOLDER.sub(r"{{\1}}", written).rstrip("/")
    value = f"https:{address}" if address.startswith("//") else address
    base = {"key": name, "value": value, "type": "string"}
    if "//" in address or address.startswith("{{"):
        return base
    return {**base, "description": gettext("The contract names no host: put yours in front.")}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Collection:
    """What the requests of one collection share."""

    api: Api = field(repr=False)
    id: UUID
    bases: Mapping[str, str]
    accesses: Mapping[Location, Access] = field(repr=False)
    auth: Json
    earlier: EarlierCollection | None = field(repr=False)
    earlier_items: Mapping[str, Json] = field(repr=False)

    def folders(self) -> Iterator[Json]:
        """Yield a folder per group; an operation is in the first one that lists it."""
        seen: set[Location] = set()
        for group in self.api.groups:
            own = [operation for operation in group.operations if operation.key not in seen]
            seen.update(operation.key for operation in own)
            if own:
                yield self._folder(group, own)

    def _folder(self, group: Group, operations: list[Operation]) -> Json:
        return {
            "id": self._id("folder", group.name, str(group.is_tag)),
            "name": group.title,
            "description": group.description,
            "item": [self._earlier_item(operation) or self._item(operation) for operation in operations],
        }

    def _earlier_item(self, operation: Operation) -> Json | None:
        if self.earlier is None or not self.earlier.is_same_operation(operation):
            return None
        return self.earlier_items.get(self._id(operation.method, operation.path))

    def _item(self, operation: Operation) -> Json:
        bodies = _bodies_of_first_media_type(sample_bodies(self.api, operation))
        request = self._request(operation, bodies[0])
        auth = self.accesses[operation.key].auth
        return {
            "id": self._id(operation.method, operation.path),
            "name": operation.title,
            "request": request if auth == self.auth else {**request, "auth": auth},
            "response": list(self._example_responses(operation, bodies, request)),
        }

    def _request(self, operation: Operation, named: NamedBody) -> Json:
        address = operation.servers[0].url if operation.servers else next(iter(self.bases))
        return request_of(
            self.api,
            operation,
            base=self.bases[address],
            access=self.accesses[operation.key],
            body=named.body,
        )

    def _example_responses(
        self, operation: Operation, bodies: tuple[NamedBody, ...], first: Json
    ) -> Iterator[Json]:
        """Yield the example responses, each with the request that has an example of the same name, else the `first`."""
        originals: dict[str, Json] = {}
        for response in operation.responses:
            for media in response.content:
                for example in (example for example in media.examples if example.has_value):
                    named = next((body for body in bodies if body.name == example.name), bodies[0])
                    if named.name not in originals:
                        request = first if named is bodies[0] else self._request(operation, named)
                        originals[named.name] = _without_descriptions(request)
                    yield {
                        "id": self._id(
                            operation.method, operation.path, response.status, media.name, example.name
                        ),
                        **_example_response(response, media, example),
                        "originalRequest": originals[named.name],
                    }

    def _id(self, *names: str) -> str:
        return str(uuid5(self.id, json.dumps(names)))


def _bodies_of_first_media_type(bodies: tuple[NamedBody, ...]) -> tuple[NamedBody, ...]:
    """Return the bodies of the first media type: an operation is one request of a collection."""
    return tuple(named for named in bodies if named.media_type == bodies[0].media_type)


def _example_response(response: Response, media: MediaType, example: Example) -> Json:
    label = example.summary or example.name or plain_text(response.description, limit=80)
    is_text = is_body_text(example.value, media.name)
    body = example.value if is_text else format_json(example.value, is_indented=True) or ""
    language = next((item for item in ("json", "xml", "html") if item in media.name), "text")
    postman_response: Json = {
        "name": label or response.status,
        "header": [{"key": "Content-Type", "value": field_value(media.name)}],
        "_postman_previewlanguage": language,
        "body": body,
    }
    first = response.status.upper().replace("X", "0")
    if first.isdecimal():
        postman_response |= {"code": int(first), "status": _status_phrase(int(first))}
    return postman_response


def _without_descriptions(value: Any) -> Any:
    """Return a part of a request without the words on it: they are in the request itself."""
    if isinstance(value, dict):
        return {key: _without_descriptions(member) for key, member in value.items() if key != "description"}
    return [_without_descriptions(item) for item in value] if isinstance(value, list) else value


def _status_phrase(code: int) -> str:
    try:
        return HTTPStatus(code).phrase
    except ValueError:
        return ""
