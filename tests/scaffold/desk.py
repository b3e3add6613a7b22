"""A contract with all that a new portal has something to say of, and the command run in this process."""

from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from devportal.cli import cli
from devportal.documents import to_yaml

DAY = "1796083200"
"""`SOURCE_DATE_EPOCH` of the tests: 2026-12-01."""
ODD = 'Parcels & <b>"Bags"</b> {: .x} [1](2) # `3`'
"""A title in which each character is markup to somebody."""


def contract(**info: Any) -> dict[str, Any]:
    """Return a small contract; `info` changes what it says of itself."""
    parcel = {"type": "object", "properties": {"id": {"type": "string", "examples": ["p_1"]}}}
    answer = {"description": "Done.", "content": {"application/json": {"schema": parcel}}}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Parcels",
            "version": "1.0.0",
            "description": "# Welcome\n\nSend *parcels*, and <b>know</b> where they are.\n\nMore.",
            **info,
        },
        "servers": [{"url": "https://api.parcels.example/v1"}],
        "security": [{"key": []}],
        "paths": {
            "/parcels": {
                "post": {
                    "operationId": "createParcel",
                    "summary": "Send a parcel",
                    "tags": ["Parcels & bags"],
                    "requestBody": {"content": {"application/json": {"schema": parcel}}},
                    "responses": {"201": answer},
                },
                "get": {
                    "operationId": "listParcels",
                    "summary": "List [your] parcels",
                    "tags": ["Parcels & bags"],
                    "responses": {"200": answer},
                },
            }
        },
        "webhooks": {
            "parcel.moved": {
                "post": {
                    "operationId": "parcelMoved",
                    "requestBody": {"content": {"application/json": {"schema": parcel}}},
                    "responses": {"204": {"description": "Taken."}},
                }
            }
        },
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
    }


def write_contract(folder: Path, data: dict[str, Any], name: str = "api.yaml") -> Path:
    """Write a contract and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_yaml(data), encoding="utf-8")
    return path


def init(*arguments: str | Path) -> Result:
    """Run `devportal init`; what is no exit of the command line's own is raised."""
    return run("init", *arguments)


def run(*arguments: str | Path) -> Result:
    """Run a command of ours; what is no exit of the command line's own is raised."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments], prog_name="devportal")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def files_of(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder by its name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".pyc"  # what runs there may compile what it runs
    }
