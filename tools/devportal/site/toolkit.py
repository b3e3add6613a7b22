"""What renders pages: this toolkit and the libraries under it. Pages of another one are not used again."""

import hashlib
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import devportal

_LIBRARIES = ("jinja2", "markdown-it-py", "markupsafe", "mkdocs", "mkdocs-material", "nh3", "pygments")


@lru_cache(maxsize=1)
def toolkit_digest() -> str:
    """Return a digest of the libraries' versions and of names, sizes and times of the toolkit's own files."""
    digest = hashlib.sha256(repr([(name, version(name)) for name in _LIBRARIES]).encode())
    root = Path(devportal.__file__).parent
    for file in sorted(root.rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            status = file.stat()
            digest.update(f"{file.relative_to(root)}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()
