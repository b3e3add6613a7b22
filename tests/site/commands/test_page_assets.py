"""Scripts and style sheets of one page: named in front matter by hand-written ones, in the head by others."""

import posixpath
from dataclasses import replace
from pathlib import Path

import pytest

from devportal.errors import InvalidSettings
from devportal.markup import Page
from devportal.site.commands.build import BuildResult
from devportal.site.rendering.environments import THEME
from devportal.site.rendering.joined_styles import packed_styles
from tests.site.building import Tags, built_project, contents, write_project
from tests.site.generated import site_of

NAV = [{"Welcome": "index.md"}, {"Guides": [{"Counting": "guides/counting.md"}]}]
COUNTER = "assets/the counter/counter.js"


def build_with(front_matter: str, folder: Path) -> BuildResult:
    """Build a project with a page that has this front matter, a script and a style sheet."""
    config = write_project(folder, nav=NAV)
    docs = folder / "docs"
    for file in (COUNTER, "assets/counter.css"):
        (docs / file).parent.mkdir(parents=True, exist_ok=True)
        (docs / file).write_text("/* counts */", encoding="utf-8")
    (docs / "guides").mkdir()
    (docs / "guides" / "counting.md").write_text(f"---\n{front_matter}\n---\n# Counting\n", encoding="utf-8")
    return built_project(config, folder / "site")


def project_assets(page: bytes) -> set[str]:
    """Return what a page loads from the folder `assets` of the project."""
    links = (values.get("src") or values.get("href", "") for _, values in Tags(page.decode()).tags)
    return {link for link in links if "counter" in link}


def test_page_loads_what_it_asks_for(folder: Path) -> None:
    """By a relative link with its spaces encoded; the script is a module, inside of the content."""
    built = build_with(f"scripts: [{COUNTER}]\nstyles:\n  - assets/counter.css", folder)

    page = (folder / "site" / "guides" / "counting" / "index.html").read_bytes()
    script = b'<script type="module" src="../../assets/the%20counter/counter.js"></script>'
    assert built.warnings == ()
    assert project_assets(page) == {"../../assets/the%20counter/counter.js", "../../assets/counter.css"}
    assert page.index(b'data-md-component="content"') < page.index(script) < page.index(b"</article>")
    assert page.index(b"assets/counter.css") < page.index(b"</head>")


def test_no_other_page_loads_it(folder: Path) -> None:
    """Neither other hand-written pages nor generated ones; the files themselves are in the site."""
    build_with(f"scripts: [{COUNTER}]\nstyles: [assets/counter.css]", folder)

    files = contents(folder / "site")
    others = {name for name, data in files.items() if name.endswith(".html") and project_assets(data)}
    assert others == {"guides/counting/index.html"}
    assert {COUNTER, "assets/counter.css"} <= set(files)


@pytest.mark.parametrize(
    ("front_matter", "said"),
    [
        ("scripts: [assets/nowhere.js]", "'assets/nowhere.js' is not a file of the site"),
        ("scripts: assets/counter.css", "'assets/counter.css' does not end in .js"),
        ("styles: [https://cdn.example/counter.css]", "'https://cdn.example/counter.css' is not a file"),
        ("styles: [7]", "7 does not end in .css"),
        ("styles:", "None does not end in .css"),
    ],
)
def test_wrong_asset_is_a_warning(front_matter: str, said: str, folder: Path) -> None:
    """It fails a strict build with page, key and value, and is not loaded."""
    built = build_with(front_matter, folder)

    (warning,) = built.warnings
    key = front_matter.partition(":")[0]
    assert warning.startswith(f"guides/counting.md: front matter '{key}': {said}")
    assert project_assets((folder / "site" / "guides" / "counting" / "index.html").read_bytes()) == set()


def test_one_asset_needs_no_list(folder: Path) -> None:
    """A single path stands for a list of one."""
    built = build_with("styles: assets/counter.css", folder)

    page = (folder / "site" / "guides" / "counting" / "index.html").read_bytes()
    assert built.warnings == ()
    assert project_assets(page) == {"../../assets/counter.css"}


def test_generated_page_names_its_own(folder: Path) -> None:
    """The first page of an area, and pages in frames with and without: each loads its own and no other."""
    own = {"rates/index.md": True, "rates/sms/index.md": True, "rates/rcs/index.md": False}
    pages = (
        Page(
            uri=uri,
            title="Rates",
            description="",
            scripts=("assets/a b/counter.js",) if has_own else (),
            styles=("assets/counter.css",) if has_own else (),
            body="<h1>Rates</h1>",
            markdown="# Rates\n",
        )
        for uri, has_own in own.items()
    )
    files = site_of(*pages, folder=folder)

    up = {"rates": "../", "rates/sms": "../../"}
    for place, root in up.items():
        page = files[f"{place}/index.html"]
        script = f'<script type="module" src="{root}assets/a%20b/counter.js"></script>'.encode()
        assert project_assets(page) == {f"{root}assets/a%20b/counter.js", f"{root}assets/counter.css"}
        assert page.index(b'data-md-component="content"') < page.index(script) < page.index(b"</article>")
        assert page.index(b"/catalog.") < page.index(b"counter.css") < page.index(b"</head>")
    assert project_assets(files["rates/rcs/index.html"]) == set()


def test_every_page_has_rules_for_paper(folder: Path) -> None:
    """For print alone, after all others, on hand-written and generated pages, also after a page's own."""
    rates = Page(uri="rates/index.md", title="R", description="", body="<h1>R</h1>", markdown="# R\n")
    own = replace(rates, uri="rates/sms/index.md", styles=("assets/counter.css",))
    whole = replace(rates, uri="faq/index.md")
    files = site_of(rates, own, whole, folder=folder)
    print_sheet = (THEME / "assets/devportal/print.css").read_text(encoding="utf-8")
    rules = f"@media print{{{packed_styles(print_sheet)}}}\n"

    for name in ("index.html", "rates/index.html", "rates/sms/index.html", "faq/index.html", "404.html"):
        tags = Tags(files[name].decode()).tags
        sheets = [values for tag, values in tags if tag == "link" and values.get("rel") == "stylesheet"]
        last = posixpath.normpath(posixpath.join("/", posixpath.dirname(name), sheets[-1]["href"]))
        assert files[last.removeprefix("/")].decode().endswith(rules)


def test_a_page_with_an_unknown_template_is_an_error(tmp_path: Path) -> None:
    """The message is about the template, and not about a file that cannot be written."""
    config = write_project(tmp_path)
    (tmp_path / "docs" / "two.md").write_text("---\ntemplate: lost.html\n---\n\n# Two\n", encoding="utf-8")

    with pytest.raises(InvalidSettings, match=r"there is no template 'lost\.html'"):
        built_project(config, tmp_path / "site")
