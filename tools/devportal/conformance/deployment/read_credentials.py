"""Reads the credentials of a run: from the command line, from environment variables, from files."""

from collections import Counter
from collections.abc import Iterator, Mapping

from devportal.conformance.deployment.credentials import (
    TOKEN_NAME,
    VARIABLES,
    Credential,
    CredentialSet,
    Role,
)
from devportal.conformance.settings import DeclaredCredential, Settings
from devportal.errors import InvalidSettings, UnreadableInput


def read_credentials(settings: Settings, environment: Mapping[str, str], *, token: str = "") -> CredentialSet:
    """Return the available credentials. `token` is the main one if it was given.

    A role that the settings do not declare is read from its usual variable. A declared one must be available.
    Raises InvalidSettings, UnreadableInput.
    """
    credentials = (
        [Credential(role=Role.MAIN, secret=_parse_token(token), name=TOKEN_NAME)] if token.strip() else []
    )
    counts: Counter[Role] = Counter()
    for declared in _declared_credentials(settings, environment):
        if declared.role is Role.MAIN and credentials:
            continue
        counts[declared.role] += 1
        credentials.append(
            Credential(
                role=declared.role,
                secret=_parse_token(_read_secret(declared, environment)),
                name=_placeholder_name(declared.role, counts[declared.role]),
                scopes=declared.scopes,
            )
        )
    return CredentialSet(everyone=tuple(credentials))


def _declared_credentials(settings: Settings, environment: Mapping[str, str]) -> Iterator[DeclaredCredential]:
    yield from settings.credentials
    declared = {credential.role for credential in settings.credentials}
    for role, variable in VARIABLES.items():
        if role not in declared and environment.get(variable, "").strip():
            yield DeclaredCredential(role=role, variable=variable)


def _read_secret(declared: DeclaredCredential, environment: Mapping[str, str]) -> str:
    if declared.file is not None:
        try:
            secret = declared.file.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UnreadableInput(
                f"{declared.file}: the credential {declared.role.value!r} cannot be read from this file",
                help="write nothing but the secret into it, or name another file in the settings",
            ) from error
        source = str(declared.file)
    else:
        variable = declared.variable or VARIABLES[declared.role]
        secret, source = environment.get(variable, "").strip(), f"the environment variable {variable}"
    if not secret:
        raise InvalidSettings(
            f"the credential {declared.role.value!r} is declared in the settings, and {source} is empty",
            help="set it, or take the credential out of the settings",
        )
    return secret


def _placeholder_name(role: Role, number: int) -> str:
    """Return the variable that replaces a credential in output: each of several credentials of a role has its
    own.
    """
    name = VARIABLES[role]
    return name if number == 1 else f"{name.removesuffix('_TOKEN')}_{number}_TOKEN"


def _parse_token(token: str) -> str:
    """Return a token that a header can hold; raises InvalidSettings, without quoting it, otherwise."""
    token = token.strip()
    if not token.isprintable() or not token.isascii():
        raise InvalidSettings(
            "the token has characters that no header can carry", help="check how it was copied"
        )
    return token
