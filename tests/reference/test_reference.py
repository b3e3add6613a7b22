"""What every part of the reference is made from, the settings of the project included."""

import pytest
from jinja2 import DictLoader

from devportal.markup import SearchEntry
from devportal.project.settings import Settings
from devportal.reference.context import RenderContext
from devportal.reference.links import DescriptionLinks
from devportal.reference.pages.sidebar import Sidebar
from devportal.reference.reference import reference_of
from devportal.reference.rendering import Renderer, templates
from tests.reference.reading import api_from

SETTINGS = Settings(overview="index.md", decisions="decisions/{number}-*.md")
REFERENCE = reference_of(api_from({"paths": {}}), SETTINGS)


def test_the_overview_is_where_the_settings_say() -> None:
    """Other pages are below the folder."""
    assert REFERENCE.addresses.overview == "index.md"
    assert REFERENCE.addresses.authentication == "reference/authentication.md"


def test_a_row_of_a_page_has_the_settings_at_hand() -> None:
    """A new setting is handed on by nobody."""
    context = RenderContext(source="a.md", below=3, links=DescriptionLinks(REFERENCE))

    assert context.reference.settings is SETTINGS


def test_a_template_has_the_settings_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the name `settings`."""
    renderer = Renderer(
        reference=REFERENCE, sidebar=Sidebar(REFERENCE, templates()), links=DescriptionLinks(REFERENCE)
    )
    page = DictLoader({"t.html.jinja": "<p>{{ settings.decisions }}</p>", **_templates("sidebar.html.jinja")})
    monkeypatch.setattr(templates(), "loader", page)

    made = renderer.page(
        "t", "a.md", title="A", description="", search=SearchEntry(title="A"), values={}
    ).finish()

    assert made.body == "<p>decisions/{number}-*.md</p>"


def _templates(*names: str) -> dict[str, str]:
    loader = templates().loader
    assert loader is not None
    return {name: loader.get_source(templates(), name)[0] for name in names}
