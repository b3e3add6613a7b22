"""Deliveries are signed, over the bytes that are sent, with the secret of the endpoint."""

from collections.abc import Iterator

from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import EVENTS, WebhookCheck
from devportal.conformance.webhooks.delivery import Delivery
from devportal.conformance.webhooks.plan import WebhookPlan
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind
from devportal.conformance.webhooks.signature import HeaderPart, SignatureScheme
from devportal.errors import InvalidSettings


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield the failures of the signatures."""
    scheme, secrets = result.plan.scheme, result.endpoint.secrets
    if scheme is None or scheme.signature is None or not secrets:
        return
    if not all(_is_readable(scheme, secret) for secret in secrets):
        # No evidence beyond the trigger: it would show the secret.
        message = f"the secret of the endpoint is not {scheme.key_encoding} after {scheme.key_prefix!r}"
        yield result.failure("the secret cannot be read", message)
        return
    for delivery in result.deliveries:
        missing = _missing_headers(scheme, delivery)
        if missing:
            message = f"{delivery.event!r} comes without {', '.join(missing)}"
            yield result.failure("a delivery is not signed", message, (delivery,))
            continue
        if result.scenario.kind is ScenarioKind.ROTATED and len(secrets) > 1:
            yield from _rotation_failures(result, scheme, delivery)
        elif not scheme.is_signed_with(delivery.headers, delivery.body, secrets[-1]):
            message = f"no signature of {delivery.event!r} fits the secret of its endpoint"
            yield result.failure("the signature is wrong", message, (delivery,))


def _is_readable(scheme: SignatureScheme, secret: str) -> bool:
    try:
        return bool(scheme.key(secret))
    except InvalidSettings:
        return False


def _missing_headers(scheme: SignatureScheme, delivery: Delivery) -> list[str]:
    parts = (scheme.signature, scheme.id, scheme.timestamp)
    return [
        part.header
        for part in parts
        if isinstance(part, HeaderPart) and not part.header_values(delivery.headers)
    ]


def _rotation_failures(
    result: ScenarioResult, scheme: SignatureScheme, delivery: Delivery
) -> Iterator[CheckFailure]:
    old, new = result.endpoint.secrets[-2:]
    if not scheme.is_signed_with(delivery.headers, delivery.body, new):
        message = f"after a rotation no signature of {delivery.event!r} fits the new secret"
        yield result.failure("the new secret does not sign", message, (delivery,))
    if result.plan.promises.overlap and not scheme.is_signed_with(delivery.headers, delivery.body, old):
        message = f"right after a rotation no signature of {delivery.event!r} fits the secret before"
        yield result.failure("the secret before does not sign", message, (delivery,))


def has_secret(result: ScenarioResult) -> bool:
    """Return whether the signatures of deliveries can be verified."""
    scheme = result.plan.scheme
    is_signed = scheme is not None and scheme.signature is not None
    return is_signed and bool(result.endpoint.secrets and result.deliveries)


def missing_part(plan: WebhookPlan, _: tuple[ScenarioResult, ...]) -> str:
    """Return what the settings lack."""
    if plan.scheme is None or plan.scheme.signature is None:
        return (
            "the signature of deliveries: write `signature: standard-webhooks` under `webhooks`, or its header "
            "and encoding"
        )
    return (
        "the secret of the endpoint: write `webhooks.subscribe.secret` with its place in the response, or "
        "`webhooks.secret: {env: …}`"
    )


CHECK = WebhookCheck(
    family=Family(
        name="webhook-signatures",
        summary="deliveries are signed with their endpoint's secret",
        words=CheckDescription(
            promise="Every delivery has a signature over the bytes sent, and over the identifier and the time"
            " if the scheme includes them. After a rotation the new secret signs, and the previous "
            "one too if that is promised.",
            test="The signature of each delivery, including retries, is recomputed from the received bytes.",
            remedy="Sign the outgoing bytes as the last step of each attempt. Read the endpoint's secret "
            "when the attempt is made.",
            sources=("Standard Webhooks 1.0.0", "RFC 2104"),
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=has_secret,
    needs=missing_part,
)
