"""Where caches are, and the digests of files and of the toolkit by which what they keep is still right."""

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import devportal
from devportal.derived_cache import Memory
from devportal.errors import EnvironmentProblem


def files_digest(files: Iterable[tuple[str, Path]], *also: object) -> str:
    """Return a digest of files, each with what it is called, and of anything else that counts.

    Paths that are not files are skipped.
    """
    digest = sha256(repr(also).encode())
    for name, file in files:
        if file.is_file():
            status = file.stat()
            about = f"{name}\0{status.st_size}\0{status.st_mtime_ns}\0"
            digest.update(about.encode("utf-8", "surrogatepass"))  # names of files need not be UTF-8
    return digest.hexdigest()


def cache_folder(name: str) -> Path:
    """Return the folder for one kind of cache. Raises EnvironmentProblem for a user without a home."""
    try:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError as error:
        raise EnvironmentProblem(
            "this user has no home folder to keep a cache in",
            help="set XDG_CACHE_HOME to a folder that is yours",
        ) from error
    return Path(home) / "devportal" / name


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
    return files_digest(
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


@lru_cache(maxsize=4)
def comparison_cache_in(folder: Path | None) -> Memory:
    """Return what was worked out of releases before, in this process, and in a folder if there is one."""
    return Memory(folder, toolkit=toolkit_digest())
