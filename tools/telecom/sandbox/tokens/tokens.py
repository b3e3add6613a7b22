"""API tokens: their grants, their text form, and the hash that is stored."""

import base64
import hashlib
import re
from dataclasses import dataclass, field

from devportal.errors import InvalidSettings
from telecom.sandbox.api.identifiers import RandomBytes

DEFAULT_ACCOUNT = "sandbox"
"""The account of tokens that name none."""
TOKEN_PREFIX = "sk_sandbox_"
DEMO_PREFIX = "sk_demo_"
"""The prefix of the token that everybody knows."""
DEMO_TOKEN = f"{DEMO_PREFIX}for_everybody"
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]{8,200}=*")
_CREDENTIALS = re.compile(rf"bearer +({_TOKEN.pattern})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """The grant of a token: its scopes, and the account they are for.

    `actor` identifies the holder in the audit log; it distinguishes tokens, and cannot be used as one.
    """

    account: str
    scopes: frozenset[str]
    actor: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token with its grant. Only its maker ever prints the text."""

    text: str = field(repr=False)
    grant: Grant

    @property
    def digest(self) -> str:
        """The SHA-256 of the token. A token is random enough that a slow hash would add nothing."""
        return hash_token(self.text)

    @property
    def id(self) -> str:
        """Its identifier."""
        return key_id(self.digest)


def hash_token(text: str) -> str:
    """Return the hash under which a token is stored and looked up."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def key_id(digest: str) -> str:
    """Return the identifier of a token, for audit log and lists, which must not show the token."""
    return f"key_{digest[:12]}"


def new_token(grant: Grant, random_bytes: RandomBytes) -> Token:
    """Return a new token with 240 random bits."""
    text = TOKEN_PREFIX + base64.b32encode(random_bytes(30)).decode("ascii").lower()
    return Token(text=text, grant=grant)


def parse_token(text: str, *, account: str, known_scopes: frozenset[str]) -> Token:
    """Read `TOKEN` (all scopes) or `TOKEN=SCOPE,SCOPE`; `TOKEN=` grants nothing.

    Raises InvalidSettings, without the token in its message.
    """
    token_text, separator, scopes_text = text.strip().partition("=")
    if not _TOKEN.fullmatch(token_text):
        raise InvalidSettings(
            "a token has 8 to 200 letters, digits and characters of '._~+/-'",
            help="give it as TOKEN or as TOKEN=SCOPE,SCOPE",
        )
    if token_text.startswith(DEMO_PREFIX):
        raise InvalidSettings(
            f"a token that begins with {DEMO_PREFIX} is for everybody",
            help="give another, or --demo-token, which lets it do little",
        )
    scopes = frozenset(filter(None, scopes_text.split(","))) if separator else known_scopes
    unknown = scopes - known_scopes
    if unknown:
        raise InvalidSettings(
            f"the contract has no scope {min(unknown)!r}",
            help=f"its scopes are: {', '.join(sorted(known_scopes)) or 'none'}",
        )
    return Token(text=token_text, grant=Grant(account=account, scopes=scopes))


def is_bearer(authorization: str) -> bool:
    """Return whether an `Authorization` header uses the bearer scheme, with a token or without one."""
    return authorization.strip().lower().partition(" ")[0] == "bearer"


def bearer_token(authorization: str) -> str | None:
    """Return the token of an `Authorization` header (RFC 6750 §2.1), None if it has none."""
    match = _CREDENTIALS.fullmatch(authorization.strip())
    return match.group(1) if match is not None else None


_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def check_account(name: str) -> None:
    """Raise InvalidSettings for an invalid name of an account."""
    if not _NAME.fullmatch(name):
        raise InvalidSettings(
            f"{name[:80]!r} is not a name of an account",
            help="give 1 to 64 letters, digits, hyphens and underscores",
        )
