"""Distributions that a test installs: plug-ins with entry points, and their modules, in a folder."""

from pathlib import Path


def write_plugin(folder: Path, name: str, *, points: str, modules: dict[str, str] | None = None) -> None:
    """Write a distribution into a folder that is on the path for imports, or will be.

    `points` is its `entry_points.txt`, `modules` its code by the name of the module.
    """
    info = folder / f"{name.replace('-', '_')}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    for module, text in (modules or {}).items():
        (folder / f"{module}.py").write_text(text, encoding="utf-8")
