"""The environments of a theme's templates, made quick: compiled once, and listed without what is hidden.

MkDocs and its search each make one per build. To find the files that a theme publishes, MkDocs lists all of
its templates; 14,000 of them are icons in a hidden folder, of which it publishes none.
"""

import os
from pathlib import Path

import jinja2
from mkdocs.theme import Theme


class _Loader(jinja2.FileSystemLoader):
    """Loads every template, and lists those outside hidden folders."""

    def list_templates(self) -> list[str]:
        """Return their names, in order."""
        return sorted({name for folder in self.searchpath for name in _names(folder, "")})


def _names(folder: str, prefix: str) -> list[str]:
    names: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_dir():
                names.append(f"{prefix}{entry.name}")
            elif not entry.name.startswith(".") and not entry.is_symlink():
                names += _names(entry.path, f"{prefix}{entry.name}/")
    return names


def make_quick(theme: Theme, compiled: Path) -> jinja2.BytecodeCache | None:
    """Have a theme's environments list no hidden files, and keep templates compiled in a folder.

    Returns what keeps them; None where the folder cannot be made.
    """
    cache, made = _kept(compiled), theme.get_env

    def get_env() -> jinja2.Environment:
        env = made()
        env.loader = _Loader(theme.dirs)
        env.bytecode_cache = cache
        return env

    theme.get_env = get_env  # type: ignore[method-assign]
    return cache


def _kept(folder: Path) -> jinja2.BytecodeCache | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return jinja2.FileSystemBytecodeCache(str(folder))
