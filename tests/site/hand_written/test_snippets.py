"""Included files in the Markdown twins of pages."""

from pathlib import Path
from typing import Any

import pytest

from devportal.site.commands.build import build_project
from tests.site.building import write_project

_SOURCE = """\
# Home

--8<-- "terms.md"

```yaml
--8<-- "terms.md:part"
```

;--8<-- "terms.md"
"""
_TERMS = "Call us **first**.\n\n--8<-- [start:part]\ndays: 14\n--8<-- [end:part]\n"


def twin_of_home(folder: Path, extensions: list[Any]) -> str:
    """Return the twin of a home page that includes a file."""
    config_file = write_project(folder, markdown_extensions=extensions)
    (config_file.parent / "docs" / "index.md").write_text(_SOURCE, encoding="utf-8")
    (folder / "included").mkdir()
    (folder / "included" / "terms.md").write_text(_TERMS, encoding="utf-8")
    (folder / "included" / "every.md").write_text("*[API]: An interface\n", encoding="utf-8")
    return (build_project(config_file).site_dir / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("auto_append", [[], ["every.md"]])
def test_a_twin_has_what_its_page_includes(folder: Path, auto_append: list[str]) -> None:
    """Whole files and parts of them, also in code; what is escaped stays, and what every page has is left out."""
    settings = {"base_path": [str(folder / "included")], "auto_append": auto_append}

    twin = twin_of_home(folder, [{"pymdownx.snippets": settings}])

    assert "Call us **first**.\n" in twin
    assert "```yaml\ndays: 14\n```" in twin
    assert twin.count('--8<-- "terms.md"') == 1
    assert "An interface" not in twin


def test_without_the_extension_the_line_is_text(folder: Path) -> None:
    """As on the page."""
    assert twin_of_home(folder, []).count('--8<-- "terms.md') == 3
