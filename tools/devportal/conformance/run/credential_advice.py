"""What to do if a token is rejected: the scheme that has to be written before it."""

import re
from collections.abc import Iterable

from devportal.conformance.deployment.credentials import Carrier, CredentialSlot, credential_slots, scheme_of
from devportal.conformance.deployment.exchange import HttpResponse
from devportal.conformance.knowledge.subject import Subject
from devportal.contract.authorization_scheme import described_authorization_scheme

_CHALLENGE = re.compile(r"\s*(?P<name>[A-Za-z][A-Za-z-]*)(?=\s|,|$)")
"""The scheme of the first challenge (RFC 9110 §11.6.1)."""
GENERAL_ADVICE = "is the token one of this environment, and not expired? Its value is not shown here"


def rejected_token_advice(subject: Subject, responses: Iterable[HttpResponse]) -> str:
    """Return what to do about a token that the responses reject."""
    schemes = {security_scheme.name: security_scheme for security_scheme in subject.api.security_schemes}
    for slot in _authorization_slots(subject):
        described = described_authorization_scheme(schemes[slot.scheme]) if slot.scheme in schemes else ""
        if slot.carrier is Carrier.HEADER and not scheme_of(subject.secret):
            if described:
                return _prefix_advice(
                    described, f"the description of {slot.scheme!r} in the contract names it"
                )
            if challenged := _challenged_scheme(responses):
                return _prefix_advice(challenged, "the deployment asks for it (WWW-Authenticate)")
        challenged = _challenged_scheme(responses)
        sent = (
            scheme_of(subject.secret) if slot.carrier is Carrier.HEADER else slot.carrier.value.capitalize()
        )
        if challenged and sent and challenged.lower() != sent.lower():
            return (
                f"the deployment asks for the scheme {challenged!r} (WWW-Authenticate), and the request had "
                f"{sent!r}: is the security scheme of the contract right?"
            )
    return GENERAL_ADVICE


def _authorization_slots(subject: Subject) -> tuple[CredentialSlot, ...]:
    """Return the slots in the header Authorization that the operations use, each once."""
    slots = (
        slot for operation in subject.operations for slot in credential_slots(subject.api, operation) or ()
    )
    return tuple(dict.fromkeys(slot for slot in slots if slot.name.lower() == "authorization"))


def _challenged_scheme(responses: Iterable[HttpResponse]) -> str:
    for response in responses:
        if match := _CHALLENGE.match(response.header("www-authenticate") or ""):
            return match["name"]
    return ""


def _prefix_advice(scheme: str, reason: str) -> str:
    return f"write {scheme!r} before the token, as in --token '{scheme} …': {reason}"
