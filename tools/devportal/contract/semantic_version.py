"""The versions that contracts give themselves, as Semantic Versioning 2.0.0 orders them."""

import re
from dataclasses import dataclass

_SEMVER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Version:
    """A version, its pre-release apart: that says how far along a release is, not what it promises."""

    major: int
    minor: int
    patch: int

    def is_major_step_to(self, other: "Version") -> bool:
        """Say whether a step to another version announces breaking changes; below 1.0.0 the minor does."""
        if self.major == 0 and other.major == 0:
            return other.minor > self.minor
        return other.major > self.major


def read_version(text: str) -> Version | None:
    """Return the semantic version of a text, None if it is none: dates are not accepted."""
    match = _SEMVER.fullmatch(text.strip())
    if match is None or int(match[1]) >= _FIRST_YEAR:
        return None
    major, minor, patch = (int(match[number]) for number in (1, 2, 3))
    return Version(major=major, minor=minor, patch=patch)


_FIRST_YEAR = 1970
"""`2026.1.15` is a date in the dress of a version: its parts do not say what breaks."""
