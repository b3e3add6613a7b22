"""A contract in which a text that HTTP does not allow stands wherever a request has names and values."""

from typing import Any

UNSENDABLE = ("a\r\nX-Evil: 1", "a\nX-Evil: 1", "a\rX-Evil: 1", "a\0b", "a\x0b\x1b\x7f", "ü: {b}", "")
"""Line breaks, NUL and other control characters, what is beyond ASCII, and nothing at all."""


def unsendable(text: str) -> dict[str, Any]:
    """Return the contract, with the text in each place."""
    schemes = {
        "http": {"type": "http", "scheme": f"b{text}"},
        "header": {"type": "apiKey", "in": "header", "name": text},
        "cookie": {"type": "apiKey", "in": "cookie", "name": text},
        "query": {"type": "apiKey", "in": "query", "name": text},
    }
    string = {"type": "string"}
    parameters: list[dict[str, Any]] = [
        {"name": text, "in": place, "required": True, "schema": string, "example": text}
        for place in ("header", "cookie", "query")
    ]
    exploded = {"type": "object", "example": {text: text}}
    parameters.append({"name": "c", "in": "cookie", "required": True, "explode": True, "schema": exploded})
    answer = {
        "description": "OK",
        "headers": {text: {"schema": string, "example": text}},
        "content": {f"text/{text}": {"example": "x"}},
    }
    return {
        "openapi": "3.2.0",
        "info": {"title": "T", "version": "1"},
        "servers": [{"url": f"https://api.example.com/{text}"}],
        "components": {"securitySchemes": schemes},
        "paths": {
            f"/a{text.replace('{b}', '')}": {
                "parameters": parameters,
                "post": {
                    "operationId": "send",
                    "security": [{"http": [], "header": [], "cookie": [], "query": []}],
                    "requestBody": {"content": _bodies(text)},
                    "responses": {"200": answer},
                },
                "put": {"security": [{"header": []}], "responses": {"200": answer}},
                "additionalOperations": {f"M{text}": {"security": [{"http": []}], "responses": {}}},
            }
        },
    }


def _bodies(text: str) -> dict[str, Any]:
    fields = {"type": "object", "properties": {text: {"type": "string"}, "f": {"type": "string"}}}
    return {
        f"application/json; a={text}": {"example": {text: text}},
        "application/x-www-form-urlencoded": {"schema": fields, "example": {text: text, "f": text}},
        "multipart/form-data": {
            "schema": fields,
            "example": {text: text, "f": text, "g": {"a": text}},
            "encoding": {"f": {"contentType": f"text/{text}"}},
        },
        f"text/{text}": {"example": "x"},
        f"image/{text}": {},
    }
