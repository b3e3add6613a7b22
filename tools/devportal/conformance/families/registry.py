"""The check families, one row each. To add one, write a module that defines its row in the package of its topic, and
add a line here.

Plug-ins add theirs by the entry point `devportal.conformance`, a function that returns families.
"""

from collections.abc import Iterable

from devportal.conformance.families.changes import read_only_members, updated_resources
from devportal.conformance.families.creations import stored_resources, unique_ids, unique_values
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.http import (
    accept,
    head,
    languages,
    media_types,
    methods,
    partial_content,
    preconditions,
    repeat_reads,
)
from devportal.conformance.families.idempotency import (
    idempotency,
    idempotency_keys,
    idempotency_tenants,
)
from devportal.conformance.families.lists import list_totals, listed_resources, nested_resources, sorting
from devportal.conformance.families.paging import pagination
from devportal.conformance.families.references import unknown_ids
from devportal.conformance.families.responses import (
    consistent_members,
    correlation,
    documented_responses,
    expected_responses,
    latency,
    links,
    problem_details,
    quota_fields,
    sparse_fields,
    timestamps,
    unanswered_requests,
    undocumented_parts,
)
from devportal.conformance.families.security import (
    authentication,
    expired_credentials,
    leaked_internals,
    permissions,
    private_caching,
    tenants,
)
from devportal.conformance.families.states import actions, jobs, state_machines
from devportal.conformance.families.validation import (
    boundary_values,
    json_types,
    malformed_bodies,
    malformed_parameters,
    query_parameters,
    time_offsets,
    valid_data,
    whitespace,
)
from devportal.conformance.family import Family
from devportal.conformance.webhooks.checks import WEBHOOK_CHECKS
from devportal.plugins import CHECKS_GROUP, call_entry_points

FAMILIES: tuple[Family, ...] = (
    authentication.FAMILY,
    expired_credentials.FAMILY,
    permissions.FAMILY,
    tenants.FAMILY,
    private_caching.FAMILY,
    methods.FAMILY,
    head.FAMILY,
    media_types.FAMILY,
    accept.FAMILY,
    languages.FAMILY,
    malformed_bodies.FAMILY,
    boundary_values.FAMILY,
    json_types.FAMILY,
    whitespace.FAMILY,
    query_parameters.FAMILY,
    malformed_parameters.FAMILY,
    unanswered_requests.FAMILY,
    documented_responses.FAMILY,
    problem_details.FAMILY,
    correlation.FAMILY,
    undocumented_parts.FAMILY,
    leaked_internals.FAMILY,
    expected_responses.FAMILY,
    quota_fields.FAMILY,
    latency.FAMILY,
    stored_resources.FAMILY,
    updated_resources.FAMILY,
    read_only_members.FAMILY,
    consistent_members.FAMILY,
    listed_resources.FAMILY,
    unknown_ids.FAMILY,
    nested_resources.FAMILY,
    deleted_resources.FAMILY,
    links.FAMILY,
    pagination.FAMILY,
    filters.FAMILY,
    list_totals.FAMILY,
    sorting.FAMILY,
    sparse_fields.FAMILY,
    idempotency.FAMILY,
    idempotency_keys.FAMILY,
    idempotency_tenants.FAMILY,
    repeat_reads.FAMILY,
    partial_content.FAMILY,
    preconditions.FAMILY,
    state_machines.FAMILY,
    actions.FAMILY,
    jobs.FAMILY,
    timestamps.FAMILY,
    time_offsets.FAMILY,
    unique_ids.FAMILY,
    unique_values.FAMILY,
    valid_data.FAMILY,
)


def all_families(plugins: Iterable[str]) -> tuple[Family, ...]:
    """Return our families, those of the webhook harness, then those of the given plug-ins.

    Raises EnvironmentProblem for a plug-in that cannot be used.
    """
    return (*FAMILIES, *(webhook_check.family for webhook_check in WEBHOOK_CHECKS), *plugin_families(plugins))


def plugin_families(plugins: Iterable[str]) -> tuple[Family, ...]:
    """Return the families of plug-ins. Raises EnvironmentProblem for one that cannot be used."""
    return tuple(family for _, families in call_entry_points(CHECKS_GROUP, plugins) for family in families)
