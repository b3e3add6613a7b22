"""Digests of what pages are made from: what is compared with the next build need not be kept whole."""

from hashlib import blake2b


def digest_of(shown: object) -> str:
    """Return a digest of data that says in its `repr` all that counts."""
    return digest_of_bytes(repr(shown).encode("utf-8", "surrogatepass"))


def digest_of_bytes(content: bytes) -> str:
    """Return a digest of what a file holds."""
    return blake2b(content, digest_size=16).hexdigest()
