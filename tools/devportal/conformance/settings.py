"""The settings of a run beyond the contract: `conformance.yaml`.

`plugins` lists the plug-ins whose checks run, each with its own settings. A plug-in describes these with a
JSON Schema, by the entry point `devportal.conformance.settings`; one without it takes no settings.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from devportal.conformance.deployment.credentials import Role
from devportal.conformance.expectations import ExpectedResponse, LatencyLimits, parse_latency
from devportal.conformance.expected_rows import parse_expected
from devportal.contract.conventions import Conventions, default_conventions, parse_conventions
from devportal.documents import Document, Shape, ShapeProblem, read_document
from devportal.errors import InvalidSettings
from devportal.findings import Finding, join_errors
from devportal.plugins import (
    CHECK_SETTINGS_GROUP,
    call_entry_points,
    canonical_name,
    installed_plugins,
    require_plugins,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredCredential:
    """Where the secret of a role is read from: an environment variable or a file."""

    role: Role
    variable: str = ""
    file: Path | None = None
    scopes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a run; the defaults apply without a file."""

    credentials: tuple[DeclaredCredential, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    conventions: Conventions = field(default_factory=default_conventions)
    shared: tuple[str, ...] = ()
    """Patterns of operations on resources that every account sees (`run.options.Selection`)."""
    latency: LatencyLimits = field(default_factory=LatencyLimits)
    expected: tuple[ExpectedResponse, ...] = ()
    undocumented_fails: bool = False
    webhooks: Mapping[str, Any] = field(default_factory=dict)
    site: str = ""
    plugins: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The settings of each listed plug-in, by its canonical name (`devportal.plugins`)."""


def load_settings(path: Path) -> Settings:
    """Return the settings of a file.

    Raises UnreadableInput, InvalidSettings with all problems, and EnvironmentProblem for a plug-in that
    cannot be used.
    """
    return parse_settings(read_document(path), folder=path.parent)


def parse_settings(document: Document, *, folder: Path) -> Settings:
    """Return the settings of a document; files that it names are relative to `folder`.

    Raises InvalidSettings with all problems, and EnvironmentProblem for a plug-in that cannot be used.
    """
    shape = Shape(settings_schema_of(document), rule="conformance-settings", root="the settings file")
    problems = [_without_quoted_secret(problem) for problem in shape.misfits(document)]
    if problems:
        raise InvalidSettings(join_errors(problems))
    data: Mapping[str, Any] = document.data or {}
    return Settings(
        credentials=tuple(
            _parse_credential(Role(role), item, folder)
            for role, declared in data.get("credentials", {}).items()
            for item in (declared if isinstance(declared, list) else [declared])
        ),
        values={name.rstrip("/"): str(value) for name, value in data.get("values", {}).items()},
        conventions=parse_conventions(data.get("conventions", {}), default_conventions()),
        shared=tuple(data.get("tenants", {}).get("shared", ())),
        latency=parse_latency(data.get("latency", {})),
        expected=tuple(
            parse_expected(value, folder, place=document.place(("expected", str(position))))
            for position, value in enumerate(data.get("expected", ()))
        ),
        undocumented_fails=data.get("undocumented") == "fail",
        webhooks=data.get("webhooks", {}),
        site=data.get("site", ""),
        plugins={canonical_name(name): declared for name, declared in data.get("plugins", {}).items()},
    )


def with_webhook_url(settings: Settings, url: str) -> Settings:
    """Return the settings with another address of the webhook receiver; unchanged for an empty one.

    Raises InvalidSettings for an invalid address, and if the settings do not declare webhooks.
    """
    if not url:
        return settings
    if not url.startswith(("http://", "https://")):
        raise InvalidSettings(
            f"--webhook-url {url!r} is not an address", help="give it like https://hooks.example.com"
        )
    if not settings.webhooks:
        raise InvalidSettings(
            "--webhook-url is given, and the settings do not say how to receive webhooks",
            help="write `webhooks` with `triggers` into the settings, or leave the option out",
        )
    receiver = {**settings.webhooks.get("receiver", {}), "url": url}
    return replace(settings, webhooks={**settings.webhooks, "receiver": receiver})


def _without_quoted_secret(problem: ShapeProblem) -> Finding:
    """Return the finding without quoting the value of a credential: it may be the secret."""
    finding = problem.finding
    if problem.pointer[:1] != ("credentials",) or not finding.message.startswith("`"):
        return finding
    name = ".".join(problem.pointer)
    return replace(finding, message=f"`{name}` does not say where the credential is")


def _parse_credential(role: Role, declared: Mapping[str, Any], folder: Path) -> DeclaredCredential:
    return DeclaredCredential(
        role=role,
        variable=declared.get("env", ""),
        file=folder / declared["file"] if "file" in declared else None,
        scopes=tuple(declared["scopes"]) if "scopes" in declared else None,
    )


def settings_schema(plugins: Mapping[str, str]) -> dict[str, Any]:
    """Return the JSON Schema of a settings file with these plug-ins: canonical names, by the names in the
    file.
    """
    text = files("devportal.conformance").joinpath("schemas", "settings.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    described = dict(call_entry_points(CHECK_SETTINGS_GROUP, plugins.values()))
    schema["properties"]["plugins"]["properties"] = {
        written: {"type": "object", **described.get(name, _NO_SETTINGS)} for written, name in plugins.items()
    }
    return schema


def editor_schema_text() -> str:
    """Return the schema of settings files with all installed plug-ins, for editors.

    Raises EnvironmentProblem for a plug-in that cannot be used.
    """
    schema = settings_schema({name: name for name in installed_plugins()})
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def schema_comment(file: str) -> str:
    """Return the first line of a settings file that names its schema for the YAML language server."""
    return f"# yaml-language-server: $schema={file}"


_NO_SETTINGS: Mapping[str, Any] = {
    "additionalProperties": False,
    "properties": {},
    "description": "This plug-in takes no settings: write `{}`.",
}


def settings_schema_of(document: Document) -> dict[str, Any]:
    """Return the schema of a settings file with the plug-ins that it lists.

    Raises EnvironmentProblem for a plug-in that cannot be used.
    """
    listed = document.data.get("plugins") if isinstance(document.data, dict) else None
    names = {item: canonical_name(item) for item in listed} if isinstance(listed, dict) else {}
    require_plugins(names, listed_in=document.name)
    return settings_schema(names)
