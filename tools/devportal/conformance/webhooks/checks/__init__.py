"""The webhook checks, one module and one line each."""

from devportal.conformance.webhooks.checks import (
    arrival,
    identifiers,
    log,
    payloads,
    readings,
    refusals,
    repetitions,
    retries,
    signatures,
    states,
    tenants,
    timestamps,
)
from devportal.conformance.webhooks.checks.check import WebhookCheck

WEBHOOK_CHECKS: tuple[WebhookCheck, ...] = (
    arrival.CHECK,
    payloads.CHECK,
    signatures.CHECK,
    timestamps.CHECK,
    identifiers.CHECK,
    states.CHECK,
    readings.CHECK,
    repetitions.CHECK,
    retries.CHECK,
    refusals.CHECK,
    log.CHECK,
    tenants.CHECK,
)
