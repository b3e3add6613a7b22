"""Credentials of runs in the tests."""

from devportal.conformance.deployment.credentials import TOKEN_NAME, Credential, CredentialSet, Role


def single_credential(secret: str) -> CredentialSet:
    """Return a set with one main credential; empty for an empty secret."""
    credential = Credential(role=Role.MAIN, secret=secret, name=TOKEN_NAME)
    return CredentialSet(everyone=(credential,) if secret else ())
