"""What renders pages: this toolkit and the libraries under it. Pages of another one are not used again."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import devportal
from devportal.site.stamps import stamp_of

_LIBRARIES = (
    "jinja2",
    "markdown-it-py",
    "markupsafe",
    "mkdocs",
    "mkdocs-material",
    "nh3",
    "pillow",
    "pygments",
)


@lru_cache(maxsize=1)
def toolkit_digest() -> str:
    """Return a digest of the libraries' versions and of names, sizes and times of the toolkit's own files."""
    root = Path(devportal.__file__).parent
    sources = (file for file in sorted(root.rglob("*")) if file.suffix != ".pyc")
    return stamp_of(
        ((file.relative_to(root).as_posix(), file) for file in sources),
        *installed_versions(_LIBRARIES),
    )


def installed_versions(libraries: Iterable[str]) -> Iterator[tuple[str, str | None]]:
    """Yield each library with its version, or with None if it is not installed.

    Not every build needs every library: Pillow draws previews of records only.
    """
    for name in libraries:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            yield name, None
