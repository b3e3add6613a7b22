"""Building: any contract from nowhere, hostile ones, conflicts, and settings that cannot work."""

import copy
import os
import subprocess
import sys
from errno import ENOENT
from itertools import starmap
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from markdown_it import MarkdownIt
from mkdocs.config import load_config

from devportal.errors import EnvironmentProblem, InvalidContract, InvalidSettings, UnreadableInput
from devportal.findings import Level
from devportal.project.settings import Settings
from devportal.reference.pages.pages import operation_uris
from devportal.site.cache.last_build import ContractBuild
from devportal.site.commands.build import build_contract, build_project, error_of_machine
from devportal.site.links.check import check_links
from devportal.site.plugin_errors import error_of_plugin
from tests.corpus import contract_param, corpus_file
from tests.reference.reading import CONTRACTS, RICH
from tests.reference.test_pages import EVIL, poison
from tests.site.building import (
    CONTRACT,
    DAY,
    Tags,
    built_from,
    built_project,
    contents,
    environment,
    write_contract,
    write_project,
)
from tests.site.reading_search import entries
from tests.waiting import PATIENCE_S

CORPUS = {
    "museum-3.1.yaml": 8,
    "freee-sm-japanese.yml": 75,
    "twilio_messaging_v1.json": 58,
    "stripe.json": 417,
}


def test_contract_alone_makes_a_site(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From an empty folder: home, operation, search, styles and scripts; nothing is left behind."""
    contract = write_contract(folder.parent / "parcels.yaml")
    monkeypatch.chdir(folder)

    built = build_contract(ContractBuild(contract=contract, site_dir=Path("site")))

    files = contents(folder / "site")
    assert built.findings == ()
    assert [path.name for path in folder.iterdir()] == ["site"]
    assert "Parcel Tracking" in files["index.html"].decode()
    assert (
        '<h1 id="getParcel">Find a parcel</h1>' in files["reference/parcels/get-parcel/index.html"].decode()
    )
    assert files["reference/parcels/get-parcel.md"].startswith(b"# Find a parcel\n")
    found = {entry.address: entry for entry in entries(files["search/search_index.json"].decode())}
    assert ("response.200.weight", "Response 200") in found["reference/parcels/get-parcel/"].fields
    assert {"assets/devportal/favicon.svg", "assets/devportal/matching.js"} <= set(files)
    assert {"openapi.yaml", "openapi.json", "postman_collection.json", "llms.txt", "llms-full.txt"} <= set(
        files
    )
    assert ".well-known/api-catalog" in files
    assert "sitemap.xml" not in files, "a sitemap has absolute addresses or is none"
    assert built.files == len(files)
    assert built.size_bytes == sum(map(len, files.values()))


def test_contract_with_a_relative_path_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder that a command runs in counts, also for references to other files."""
    schemas = {"Parcel": {"type": "object", "properties": {"from_another_file": {"type": "string"}}}}
    (folder / "schemas.yaml").write_text(yaml.safe_dump(schemas), encoding="utf-8")
    document = copy.deepcopy(CONTRACT)
    content = document["paths"]["/parcels/{id}"]["get"]["responses"]["200"]["content"]
    content["application/json"]["schema"] = {"$ref": "schemas.yaml#/Parcel"}
    write_contract(folder / "openapi.yaml", document)
    monkeypatch.chdir(folder)

    built_ = build_contract(ContractBuild(contract=Path("openapi.yaml"), site_dir=Path("out")))

    assert built_.findings == ()
    assert b"from_another_file" in contents(folder / "out")["reference/parcels/get-parcel/index.html"]


@pytest.mark.parametrize("name", RICH)
def test_hostile_contract_makes_a_harmless_site(name: str, folder: Path) -> None:
    """No text of a contract becomes live in the whole page: head, title, tabs, contents."""
    document = poison(yaml.load((CONTRACTS / name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    document["tags"] = [{"name": "x", "x-displayName": EVIL, "description": EVIL}]

    built = built_from(document, folder)

    for path, data in contents(built.site_dir).items():
        if path.endswith(".html"):
            assert live_parts(data.decode()) == [], path


@pytest.mark.parametrize("name", RICH)
def test_hostile_contract_makes_harmless_twins(name: str, folder: Path) -> None:
    """What stands around the descriptions, which are CommonMark themselves, makes nothing live."""
    document = poison(yaml.load((CONTRACTS / name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    document["info"]["termsOfService"] = "javascript:alert(1)"
    document["externalDocs"] = {"url": "javascript:alert(1)"}
    commonmark = MarkdownIt("commonmark")
    setattr(commonmark, "validateLink", lambda _: True)  # noqa: B010 - as lax as renderers may be

    built = built_from(document, folder)

    for path, data in contents(built.site_dir).items():
        if path.endswith(".md"):
            blocks = [part for part in data.decode().split("\n\n") if part.strip() != EVIL]
            assert live_parts(commonmark.render("\n\n".join(blocks))) == [], path


def live_parts(html: str) -> list[str]:
    """Return elements, attributes and addresses that a hostile text has made live."""
    found = []
    page = Tags(html)
    for tag, values in page.tags:
        if tag in {"script", "style", "iframe", "object", "embed"} and "src" not in values:
            found += [] if values.get("type") == "application/json" else [f"<{tag}>"]
        if tag == "img" or values.get("src", "").startswith(("http", "//")):
            found.append(f"<{tag} {values}>")
        found += [f"{name} on <{tag}>" for name in values if name.startswith("on") or not name.isascii()]
        found += [f"{name} on <{tag}>" for name in values if set(name) & set("\"'<>&`{}$();,*")]
        address = values.get("href", "")
        if urlsplit(address).scheme not in {"", "http", "https", "mailto"}:
            found.append(address)
    return found + [text for text in page.scripts if "alert" in text]


@pytest.mark.parametrize("text", ["A & B", "a <b> c", '"quoted"'])
def test_titles_are_escaped_once(text: str, folder: Path) -> None:
    """The browser's title, the header and the description show what the contract says."""
    document = copy.deepcopy(CONTRACT)
    document["info"]["title"] = text
    document["paths"]["/parcels/{id}"]["get"] |= {"summary": text, "description": text}

    files = contents(built_from(document, folder).site_dir)

    page = files["reference/parcels/get-parcel/index.html"].decode()
    found = Tags(page)
    metas = {values.get("name", ""): values.get("content", "") for tag, values in found.tags if tag == "meta"}
    assert metas["description"] == text.replace("<b> ", "").replace("  ", " ") or metas["description"] == text
    assert "&amp;amp;" not in page
    assert "&amp;lt;" not in page
    assert "&amp;quot;" not in page
    assert "&amp;#34;" not in page


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("", InvalidContract, "empty"),
        ("swagger: '1.2'", InvalidContract, "Swagger 1.2"),
        ("a: b", InvalidContract, "no 'openapi' key"),
        ("- a", InvalidContract, "a list"),
        ("a: [", UnreadableInput, "t.yaml:"),
        ("openapi: 4.0.0", InvalidContract, "'4.0.0'"),
    ],
)
def test_what_is_no_contract_stops_the_build(
    text: str, error: type[Exception], said: str, folder: Path
) -> None:
    """With the error of its own, place and words, not the site builder's."""
    (folder / "t.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(error, match=said):
        build_contract(ContractBuild(contract=folder / "t.yaml", site_dir=folder / "site"))

    assert not (folder / "site").exists()


def test_missing_contract_stops_the_build(folder: Path) -> None:
    """A wrong name is told as such."""
    with pytest.raises(UnreadableInput, match=r"nowhere\.yaml"):
        build_contract(ContractBuild(contract=folder / "nowhere.yaml", site_dir=folder / "site"))


def test_findings_do_not_stop_the_build(folder: Path) -> None:
    """A broken reference is reported with its place, and the rest is shown."""
    document = copy.deepcopy(CONTRACT)
    content = document["paths"]["/parcels/{id}"]["get"]["responses"]["200"]["content"]
    content["application/json"]["schema"] = {"$ref": "#/components/schemas/Nowhere"}

    built = built_from(document, folder)

    assert [finding.rule for finding in built.findings] == ["contract-ref-broken"]
    assert built.findings[0].place.line > 0
    assert (built.site_dir / "reference" / "parcels" / "get-parcel" / "index.html").is_file()


def test_two_builds_around_a_contract_are_the_same(folder: Path) -> None:
    """The temporary project leaves no trace in the site."""
    with environment(SOURCE_DATE_EPOCH=DAY):
        one = contents(built_from(CONTRACT, folder / "one").site_dir)
        two = contents(built_from(CONTRACT, folder / "two").site_dir)

    assert one == two
    assert [name for name, data in one.items() if b"devportal-" in data and name.endswith("ml")] == []


def test_project_with_hand_written_pages(folder: Path) -> None:
    """Links from hand-written pages to generated ones are as to files."""
    built = built_project(write_project(folder), folder / "site")

    assert built.warnings == ()
    assert 'href="reference/"' in (folder / "site" / "index.html").read_text(encoding="utf-8")


def test_broken_link_in_a_hand_written_page_is_a_warning(folder: Path) -> None:
    """What the site builder finds wrong is passed on."""
    config = write_project(folder)
    (folder / "docs" / "index.md").write_text("# Home\n\n[x](reference/nowhere.md)\n", encoding="utf-8")

    built = built_project(config, folder / "site")

    assert len(built.warnings) == 1
    assert "reference/nowhere.md" in built.warnings[0]


def test_hand_written_page_in_the_place_of_a_generated_one(folder: Path) -> None:
    """Neither silently wins."""
    config = write_project(folder)
    (folder / "docs" / "reference").mkdir()
    (folder / "docs" / "reference" / "index.md").write_text("# Mine\n", encoding="utf-8")

    with pytest.raises(InvalidSettings, match=r"reference/index\.md.*generated"):
        built_project(config, folder / "site")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"theme": {"name": "mkdocs"}}, "material"),
        ({"theme": {"name": "nowhere"}}, "nowhere"),
        (
            {"theme": {"name": "material", "features": "content.tabs.link"}},
            r"theme\.features.*'content\.tabs",
        ),
        ({"theme": {"name": "material", "features": [1]}}, r"theme\.features.*\[1\]"),
        ({"use_directory_urls": False}, "use_directory_urls"),
        ({"plugins": ["search"]}, "'devportal'"),
        ({"plugins": ["nowhere"]}, "nowhere"),
        ({"plugins": [{"devportal": {"contrakt": "a"}}]}, "contrakt"),
        ({"plugins": [{"devportal": {"contract": 3}}]}, "contract"),
        ({"docs_dir": "nowhere"}, "nowhere"),
    ],
)
def test_settings_that_cannot_work(settings: dict[str, Any], said: str, folder: Path) -> None:
    """Each is refused with the setting named."""
    config = write_project(folder, **settings)

    with pytest.raises(InvalidSettings, match=said):
        built_project(config, folder / "site")


def test_a_list_of_features_may_be_empty(folder: Path) -> None:
    """A line without a value is what is left when somebody takes the last one out."""
    built = built_project(
        write_project(folder, theme={"name": "material", "features": None}), folder / "site"
    )

    assert built.warnings == ()


def test_mkdocs_yml_that_does_not_parse(folder: Path) -> None:
    """A syntax error in the settings is told with its line."""
    config = write_project(folder)
    config.write_text("site_name: [", encoding="utf-8")

    with pytest.raises(UnreadableInput, match=r"mkdocs\.yml:1:13: "):
        built_project(config, folder / "site")


@pytest.mark.parametrize("plugin", [{"contract": ""}, {"contract": "", "changelog": "log", "feed": False}])
def test_parts_can_be_turned_off(plugin: dict[str, Any], folder: Path) -> None:
    """Without a contract there is no reference, and hand-written pages are still built."""
    config = write_project(folder, plugin=plugin)
    (folder / "docs" / "index.md").write_text("# Welcome\n", encoding="utf-8")
    (folder / "log").mkdir()

    built = built_project(config, folder / "site")

    assert built.findings == ()
    assert not (folder / "site" / "reference").exists()


def test_epoch_that_is_no_number(folder: Path) -> None:
    """The day of a build comes from the environment, which may be wrong."""
    with environment(SOURCE_DATE_EPOCH="soon"), pytest.raises(InvalidSettings, match="'soon'"):
        built_project(write_project(folder), folder / "site")


def test_folder_that_cannot_be_written(folder: Path) -> None:
    """A file stands where the site should go."""
    (folder / "site").write_text("mine", encoding="utf-8")

    with pytest.raises(Exception, match="site") as caught:
        built_project(write_project(folder), folder / "site" / "deeper")

    assert type(caught.value).__name__ == "EnvironmentProblem"
    assert (folder / "site").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["openapi.yaml", "llms.txt", "llms-full.txt", "reference/index.md"])
def test_file_of_the_project_is_not_replaced(name: str, folder: Path) -> None:
    """What stands where a generated file belongs is named, not lost."""
    config = write_project(folder)
    own = folder / "docs" / name
    own.parent.mkdir(exist_ok=True)
    own.write_text("mine", encoding="utf-8")

    with pytest.raises(Exception, match="has the path of a generated one") as caught:
        built_project(config, folder / "site")

    assert str(own) in str(caught.value)
    assert own.read_text(encoding="utf-8") == "mine"


def test_user_settings_win_over_ours(folder: Path) -> None:
    """A palette and features of the project are kept; fonts are never loaded."""
    theme = {"name": "material", "features": ["toc.integrate"], "font": {"text": "Roboto"}}
    built_project(write_project(folder, theme=theme), folder / "site")

    html = (folder / "site" / "index.html").read_text(encoding="utf-8")
    assert "dp-side--integrated" in html
    assert "fonts.googleapis" not in html


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "operations"), [*starmap(contract_param, CORPUS.items())])
def test_contracts_of_others(name: str, operations: int, folder: Path) -> None:
    """Four real contracts: every operation has a page, nothing foreign is loaded, and it stays light."""
    built = build_contract(ContractBuild(contract=corpus_file(name), site_dir=folder / "site"))

    assert built.portal.material.contract is not None
    api = built.portal.material.contract.api
    files = contents(built.site_dir)
    pages = {value: data for value, data in files.items() if value.endswith(".html")}
    shown = operation_uris(api, Settings(overview="index.md"))
    assert len(api.operations) == operations
    assert {uri.replace(".md", "/index.html") for uri in shown.values()} <= set(pages)
    assert len(set(shown.values())) == operations
    assert len(built.portal.heads) == len({head.uri.casefold() for head in built.portal.heads})
    assert sorted(len(data) for data in pages.values())[len(pages) // 2] < 120_000
    for page in list(pages)[:: max(1, len(pages) // 40)]:
        assert live_parts(pages[page].decode()) == [], page


def test_environment_is_left_alone(folder: Path) -> None:
    """A build changes neither the working folder nor variables of others."""
    before = Path.cwd(), dict(os.environ)
    built_project(write_project(folder), folder / "site")

    assert Path.cwd() == before[0]
    assert {name: value for name, value in os.environ.items() if name in before[1]} == before[1]


def test_home_page_is_called_as_the_contract_is(folder: Path) -> None:
    """Its title stands in the window once, and before the site's name on other pages."""
    site = built_from(CONTRACT, folder).site_dir

    assert "<title>Parcel Tracking</title>" in (site / "index.html").read_text(encoding="utf-8")
    page = (site / "reference/parcels/get-parcel/index.html").read_text(encoding="utf-8")
    assert "<title>Find a parcel - Parcel Tracking</title>" in page


def test_headings_are_listed_beside_the_page(folder: Path) -> None:
    """The table of contents of a generated page leads to its sections."""
    site = built_from(CONTRACT, folder).site_dir

    page = (site / "index.html").read_text(encoding="utf-8")
    contents = page.partition('<nav class="md-nav md-nav--secondary"')[2].partition("</nav>")[0]
    assert 'href="#authentication"' in contents
    assert 'href="#group.Parcels"' in contents


def test_mkdocs_builds_the_same_bytes(folder: Path) -> None:
    """`mkdocs build --strict` in another process makes the site that `devportal build` makes."""
    config = write_project(folder)
    with environment(SOURCE_DATE_EPOCH=DAY, NO_MKDOCS_2_WARNING="1"):
        built_project(config, folder / "one")
        ended = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder / "other"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    assert ended.returncode == 0, ended.stderr
    assert contents(folder / "other") == contents(folder / "one")


def test_links_for_an_unknown_site_are_one_warning(folder: Path) -> None:
    """With their number and the first place; a contract that names the site has none, and no broken link."""
    document = copy.deepcopy(CONTRACT)
    operation = document["paths"]["/parcels/{id}"]["get"]
    operation["description"] = "[One](/docs/one) and [two](/docs/two)."
    operation["responses"]["200"]["description"] = "[Three](/docs/three)."
    contract = write_contract(folder / "parcels.yaml", document)

    unknown = build_contract(ContractBuild(contract=contract, site_dir=folder / "site")).findings
    broken = check_links(folder / "site").findings
    document["externalDocs"] = {"url": "https://parcels.example/start"}
    known = build_contract(
        ContractBuild(contract=write_contract(contract, document), site_dir=folder / "site")
    ).findings

    (warning,) = unknown
    assert (warning.rule, warning.level) == ("contract-root-link", Level.WARNING)
    assert warning.message.startswith("3 links in descriptions are relative, here '/docs/one'")
    assert warning.place.line > 0
    assert (known, broken) == ((), ())
    assert check_links(folder / "site").findings == ()


def write_project_with_hook(folder: Path, code: str) -> Path:
    """Write a project with a hook of this code."""
    config_file = write_project(folder)
    (config_file.parent / "hook.py").write_text(code, encoding="utf-8")
    config_file.write_text(f"{config_file.read_text(encoding='utf-8')}\nhooks: [hook.py]\n", encoding="utf-8")
    return config_file


def test_equal_warnings_are_one_problem_with_a_count(folder: Path) -> None:
    """A plugin may warn of what it lacks once for each page."""
    hook = (
        "import logging\n"
        "def on_config(config):\n"
        "    for text in 'aab':\n"
        "        logging.getLogger('mkdocs.plugins.p').warning(text)\n"
    )

    built = build_project(write_project_with_hook(folder, hook))

    assert built.warnings == ("a\n  2 times", "b")


def test_a_plugin_that_reads_a_file_it_never_got_is_named_with_its_place(tmp_path: Path) -> None:
    """The file is none that somebody wrote; what the plugin warned of before is the reason."""
    config_file = write_project(tmp_path)
    config = load_config(str(config_file))
    plugin = config.plugins["material/search"]
    code = compile("def copy(config):\n    open('.cache/logo.png')", "copy.py", "exec")
    module: dict[str, Any] = {"__name__": type(plugin).__module__}
    exec(code, module)  # noqa: S102 - a module of a plug-in
    config.plugins.events["config"].append(module["copy"])

    with pytest.raises(FileNotFoundError) as raised:
        config.plugins.on_config(config)
    error = error_of_machine(raised.value, config, ("Couldn't retrieve https://example.com/logo.png",))

    assert error.place is not None
    assert error.place.line > 0
    assert error.message == (
        "the plugin 'search' failed: .cache/logo.png: No such file or directory\n"
        "  warned before: Couldn't retrieve https://example.com/logo.png"
    )


def test_an_error_of_an_extension_names_it_and_the_page(folder: Path) -> None:
    """It is not one of ours: a missing snippet is an exception of the extension that reads it."""
    config_file = write_project(folder)
    extensions = "markdown_extensions:\n  - pymdownx.snippets: {check_paths: true}\n"
    config_file.write_text(f"{config_file.read_text(encoding='utf-8')}\n{extensions}", encoding="utf-8")
    (config_file.parent / "docs" / "index.md").write_text('# Home\n\n--8<-- "lost.md"\n', encoding="utf-8")

    with pytest.raises(EnvironmentProblem) as raised:
        build_project(config_file)

    assert raised.value.place is not None
    assert raised.value.place.file.endswith("docs/index.md")
    assert raised.value.message == (
        "the extension 'pymdownx.snippets' failed: Snippet at path 'lost.md' could not be found"
    )


def test_an_error_of_a_plugin_on_a_generated_page_is_at_the_plugin(tmp_path: Path) -> None:
    """There is no file to fix: plugins may want one for each page."""
    config = load_config(str(write_project(tmp_path)))
    module: dict[str, Any] = {"__name__": type(config.plugins["material/search"]).__module__}
    exec("def fail(config):\n    raise TypeError('not a path')", module)  # noqa: S102 - a module of a plug-in
    config.plugins.events["config"].append(module["fail"])

    with pytest.raises(TypeError) as raised:
        config.plugins.on_config(config)
    error = error_of_plugin(
        raised.value, config, logged=["Error reading page 'reference/index.md': not a path"]
    )

    assert error is not None
    assert error.place is not None
    assert error.place.file.endswith("mkdocs.yml")
    assert (
        error.message == "the plugin 'search' failed on the generated page 'reference/index.md': not a path"
    )
    assert error.help.startswith("have its settings leave out generated pages such as 'reference/index.md'")


def test_an_error_of_a_plugin_without_a_page_is_at_the_plugin(tmp_path: Path) -> None:
    """With the kind and the text of the exception."""
    config = load_config(str(write_project(tmp_path)))
    module: dict[str, Any] = {"__name__": type(config.plugins["material/search"]).__module__}
    exec("def fail(config):\n    raise TypeError('not a path')", module)  # noqa: S102 - a module of a plug-in
    config.plugins.events["config"].append(module["fail"])

    with pytest.raises(TypeError) as raised:
        config.plugins.on_config(config)
    error = error_of_plugin(raised.value, config)

    assert error is not None
    assert error.place is not None
    assert error.place.line > 0
    assert error.message == "the plugin 'search' failed: TypeError: not a path"


def test_a_file_that_a_plugin_did_not_download_comes_with_its_warning(tmp_path: Path) -> None:
    """MkDocs copies it: no plugin raises the error."""
    config = load_config(str(write_project(tmp_path)))
    missing = FileNotFoundError(
        ENOENT, "No such file or directory", str(tmp_path.resolve() / ".cache" / "logo.png")
    )

    error = error_of_machine(missing, config, ("Couldn't retrieve https://example.com/logo.png",))

    assert error.message == (
        ".cache/logo.png cannot be read: No such file or directory\n"
        "  warned before: Couldn't retrieve https://example.com/logo.png"
    )


def test_a_plugin_that_has_no_network_is_named(tmp_path: Path) -> None:
    """Its library raises an OSError without a number of the system: nothing is wrong with the files of the site."""
    config = load_config(str(write_project(tmp_path)))
    code = compile("def fetch(config):\n    raise OSError('no route to example.com')", "fetch.py", "exec")
    plugin: dict[str, Any] = {"__name__": "acme.plugin"}
    exec(code, plugin)  # noqa: S102 - a module of a plug-in
    config.plugins.events["config"].append(plugin["fetch"])

    with pytest.raises(OSError, match="no route") as raised:
        config.plugins.on_config(config)
    error = error_of_machine(raised.value, config)

    assert error.message.startswith(
        "acme.plugin, which mkdocs.yml names as a plugin or extension, failed: no route"
    )
