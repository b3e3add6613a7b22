"""The families of this plug-in, one row each."""

from devportal.conformance.family import Family
from telecom.conformance import (
    compliance_refusals,
    delivery_receipts,
    destinations,
    message_content,
    message_pacing,
    published_records,
    quota_ends,
    quotas,
    rate_limit_fields,
    registration_decisions,
    segments,
)


def families() -> tuple[Family, ...]:
    """Return the check families of messaging."""
    return (
        segments.FAMILY,
        message_content.FAMILY,
        delivery_receipts.FAMILY,
        message_pacing.FAMILY,
        published_records.FAMILY,
        rate_limit_fields.FAMILY,
        quotas.FAMILY,
        quota_ends.FAMILY,
        compliance_refusals.FAMILY,
        registration_decisions.FAMILY,
        destinations.FAMILY,
    )
