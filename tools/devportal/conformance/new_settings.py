"""A first settings file for a contract: what a run needs beyond it, with the checks that each line wakes.

Lines that somebody has to complete are comments. The file is valid as it is written.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from devportal.conformance.deployment.credentials import VARIABLES, Role, is_secured
from devportal.conformance.families.registry import all_families
from devportal.conformance.family import Family
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.results.contract_coverage import contract_event_names
from devportal.conformance.settings import schema_comment, settings_schema
from devportal.conformance.settings_checks import setting_checks
from devportal.contract import Api
from devportal.contract.resources import Resource
from devportal.contract.wording import on_one_line
from devportal.reporting.printable import count_noun

WIDTH = 100
ROLE_MEANINGS = {
    Role.MAIN: "The account that everything is tested with.",
    Role.OTHER_TENANT: "Another account. It must not see the resources of the first one.",
    Role.LIMITED: "A token that lacks a scope. List under `scopes` all scopes that it has.",
    Role.EXPIRED: "An expired or revoked token.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsAnswers:
    """What the file declares: the environment variable of each credential, the scopes of the limited one, and
    the slowest p95 in milliseconds. What is missing is written as a comment.
    """

    variables: dict[Role, str] = field(default_factory=dict)
    limited_scopes: tuple[str, ...] = ()
    slowest_p95_ms: float | None = None


def new_settings_text(subject: Subject, answers: SettingsAnswers, *, schema_file: str = "") -> str:
    """Return the text of a settings file. `subject` is the contract without credentials and values,
    `schema_file` the name of the schema for editors.
    """
    schema = settings_schema({})
    lines = [
        *([schema_comment(schema_file)] if schema_file else ()),
        f"# Settings of `devportal conformance` for {on_one_line(subject.api.title)}.",
        "# Remove the # from a line to use it. Without a line, the checks after it are reported as not tested.",
        *_credential_lines(subject, answers),
        *_value_lines(subject),
        *_shared_lines(subject, schema),
        *_latency_lines(answers, schema),
        *_webhook_lines(subject.api, schema),
        "",
        *_comment(
            "What members and headers that the contract does not document are: `note` only lists them, `fail` "
            f"fails the run. Checks: {_check_names(schema, ('undocumented',))}."
        ),
        "undocumented: note",
    ]
    return "\n".join(lines) + "\n"


def _credential_lines(subject: Subject, answers: SettingsAnswers) -> Iterator[str]:
    if not any(map(is_secured, subject.operations)):
        return
    families = all_families({})
    yield ""
    if answers.variables:
        yield "credentials:"
    else:
        yield "#credentials:"
    for role, meaning in ROLE_MEANINGS.items():
        checks = "all" if role is Role.MAIN else ", ".join(_waiting_checks(families, subject, role))
        if not checks and role not in answers.variables:
            continue
        yield from _comment(f"{meaning} Checks: {checks or 'none for this contract'}.", indent="  ")
        mark = "" if role in answers.variables else "#"
        variable = answers.variables.get(role, VARIABLES[role])
        scopes = answers.limited_scopes or (() if not mark else _scope_names(subject.api)[:1])
        listed = (
            f", scopes: [{', '.join(map(_yaml_text, scopes))}]" if role is Role.LIMITED and scopes else ""
        )
        yield f"  {mark}{role.value}: {{env: {variable}{listed}}}"


def _waiting_checks(families: Sequence[Family], subject: Subject, role: Role) -> list[str]:
    """Return the checks that need the credential of a role."""
    reasons = ((family.name, family.lacks(subject)) for family in families if family.lacks is not None)
    return [name for name, reason in reasons if VARIABLES[role] in reason]


def _scope_names(api: Api) -> list[str]:
    """Return the scopes of a contract."""
    found = (
        name
        for scheme in api.security_schemes
        for name, _ in (*scheme.scopes, *(scope for flow in scheme.flows for scope in flow.scopes))
    )
    return list(dict.fromkeys(found))


def _value_lines(subject: Subject) -> Iterator[str]:
    """Yield a line for each resource that a run can neither list nor create."""
    unknown = [
        resource for resource in subject.resources if resource.create is None and resource.listing is None
    ]
    yield ""
    if not unknown:
        yield from _comment(
            "Values of parameters: identifiers of existing resources, or values that your deployment knows. "
            "Every resource of this contract can be listed or created, so none is required."
        )
        yield "#values:"
        yield "#  country: 'NO'"
        return
    yield from _comment(
        "Identifiers of existing resources: the contract has no operation that lists or creates these. "
        "Without a value, their operations only get 404."
    )
    yield "#values:"
    for resource in unknown:
        yield f"#  {_yaml_text(resource.path)}: …    # {', '.join(_methods(resource))}"


def _methods(resource: Resource) -> list[str]:
    operations = (resource.read, *resource.changes, resource.delete)
    return [operation.method for operation in operations if operation is not None]


def _shared_lines(subject: Subject, schema: Mapping[str, Any]) -> Iterator[str]:
    listings = [listing.operation.id for listing in subject.listings if is_secured(listing.operation)]
    if listings and _waiting_checks(all_families({}), subject, Role.OTHER_TENANT):
        yield ""
        yield from _comment(
            "Operations whose resources every account sees, such as a price list. Checks: "
            f"{_check_names(schema, ('tenants', 'shared'))}, which would report them otherwise."
        )
        yield "#tenants:"
        yield f"#  shared: [{_yaml_text(listings[0])}]"


def _latency_lines(answers: SettingsAnswers, schema: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    checks = _check_names(schema, ("latency",))
    yield from _comment(f"The slowest 95th percentile of an operation, in milliseconds. Checks: {checks}.")
    if answers.slowest_p95_ms is None:
        yield "#latency: {p95_ms: 800}"
    else:
        yield f"latency: {{p95_ms: {answers.slowest_p95_ms:g}}}"


def _webhook_lines(api: Api, schema: Mapping[str, Any]) -> Iterator[str]:
    events = contract_event_names(api)
    if events:
        checks = _check_names(schema, ("webhooks", "signature"), ("webhooks", "promises"))
        yield ""
        yield from _comment(
            f"The contract has {count_noun(len(events), 'event')} ({', '.join(events[:5])}). If the deployment "
            "is on this machine, a run finds in the contract how to receive them. Declare what a contract cannot "
            f"say, such as signatures and retries. Checks: {checks}."
        )
        yield "#webhooks:"
        yield "#  signature: standard-webhooks"
        yield "#  promises: {retried: [500]}"


def _check_names(schema: Mapping[str, Any], *settings: tuple[str, ...]) -> str:
    """Return the names of the checks that settings wake."""
    return ", ".join(
        dict.fromkeys(check for setting in settings for check in setting_checks(schema, *setting))
    )


def _comment(text: str, *, indent: str = "") -> list[str]:
    return [
        f"{indent}# {line}" for line in wrap(on_one_line(text), WIDTH - len(indent), break_on_hyphens=False)
    ]


def _yaml_text(text: str) -> str:
    """Return a text as a scalar of YAML: JSON text is one."""
    return text if text.replace("_", "").isalnum() and not text.isdigit() else json.dumps(text)
