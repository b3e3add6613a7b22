"""The environment of templates: HTML is escaped, Markdown is not, and what is undefined is an error."""

import sys
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from devportal.markup import environment


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of an importable package with a folder of templates."""
    folder = tmp_path / "sample_templates_package" / "templates"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "a.html.jinja").write_text("{{ text }}|{{ href('a.md', 'b.md') }}\n")
    (folder / "a.md.jinja").write_text("{{ text }}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, folder.parent.name, raising=False)
    return folder.parent.name


def test_html_is_escaped(package: str) -> None:
    """Text is text, whatever it looks like."""
    template = environment(package).get_template("a.html.jinja")

    rendered = template.render(text="**x**<script>y</script>")

    assert rendered == "**x**&lt;script&gt;y&lt;/script&gt;|../b/\n"


def test_markdown_twins_are_not_escaped(package: str) -> None:
    """Markdown is for machines, which read characters as they are."""
    rendered = environment(package).get_template("a.md.jinja").render(text="a < b & c")

    assert rendered == "a < b & c\n"


def test_an_undefined_name_is_an_error(package: str) -> None:
    """A misspelt name never renders as nothing."""
    template = environment(package).get_template("a.md.jinja")

    with pytest.raises(UndefinedError, match="'text' is undefined"):
        template.render()
