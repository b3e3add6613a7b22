"""Files of other formats that are given in place of an OpenAPI document: what they are, and where the contract is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from devportal.contract.wording import quote_reference

_MOST_NAMED = 5
"""How many files a message names."""


@dataclass(frozen=True, slots=True)
class ForeignFormat:
    """What a file is, as in "this is a HAR file", and what to do about it."""

    name: str
    help: str


_CONVERT = "give the path of an OpenAPI 3 file; the tool that wrote this one may export it"
_BY_KEY = {
    "asyncapi": ForeignFormat(
        "an AsyncAPI document", "describe its HTTP API in an OpenAPI file, and give the path of that"
    ),
    "arazzo": ForeignFormat("an Arazzo document", "give one of its 'sourceDescriptions' of type openapi"),
    "overlay": ForeignFormat("an overlay", "give the contract that it changes, and this file with --overlay"),
    "swaggerVersion": ForeignFormat("a Swagger 1 document", "convert it to OpenAPI 3 first"),
    "_postman_id": ForeignFormat("a Postman collection", _CONVERT),
    "__export_format": ForeignFormat("an Insomnia export", _CONVERT),
    "__schema": ForeignFormat(
        "a GraphQL schema", "give the path of an OpenAPI 3 file: devportal describes HTTP APIs"
    ),
    "site_name": ForeignFormat("a settings file of MkDocs", "to use its project, leave out --contract"),
}
"""The formats by a key at the top."""


def other_format(data: Mapping[str, Any]) -> ForeignFormat | None:
    """Return what a document without an `openapi` key is, None if it is unknown."""
    for key, found in _BY_KEY.items():
        if key in data:
            return found
    info, log = data.get("info"), data.get("log")
    if isinstance(info, dict) and ("_postman_id" in info or "getpostman.com" in str(info.get("schema"))):
        return _BY_KEY["_postman_id"]
    if isinstance(log, dict) and "entries" in log:
        return ForeignFormat(
            "a HAR file", "give the path of an OpenAPI 3 file; 'devportal uses' reads HAR files"
        )
    if isinstance(data.get("data"), dict) and "__schema" in data["data"]:
        return _BY_KEY["__schema"]
    if settings := _settings_of_another_tool(data):
        return settings
    if "$schema" in data and "json-schema.org" in str(data["$schema"]):
        return ForeignFormat("a JSON Schema", "give the path of the OpenAPI 3 file that refers to it")
    return None


def _settings_of_another_tool(data: Mapping[str, Any]) -> ForeignFormat | None:
    """Return what a file is that names a contract or judges one: of Redocly, Mintlify, or a linter such as Spectral."""
    apis = data.get("apis")
    roots = (
        [api["root"] for api in apis.values() if isinstance(api, dict) and isinstance(api.get("root"), str)]
        if isinstance(apis, dict)
        else []
    )
    if roots:
        return ForeignFormat(
            "a configuration of Redocly",
            f"give the file of an API that it names: {', '.join(map(quote_reference, roots[:_MOST_NAMED]))}",
        )
    if "mintlify.com" in str(data.get("$schema")):
        return ForeignFormat("a settings file of Mintlify", "give the OpenAPI file that its 'openapi' names")
    if "extends" in data or isinstance(data.get("rules"), dict):
        return ForeignFormat("a file of rules for a linter", "give the contract that it judges")
    return None
