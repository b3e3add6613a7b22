"""The table of contents for language models, and everything in one file."""

import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

from devportal.markup import PageHead, SearchEntry, SearchKind, plain_text
from devportal.reference.markup import name_sentence
from devportal.site.output.llms import LlmsEntry, SiteSummary, llms_entries, llms_texts, write_llms

PAGES = (
    LlmsEntry(section="Guides", uri="a b.md", title="A [b]", description="Two\nlines."),
    LlmsEntry(section="Optional", uri="s.md", title="S"),
    LlmsEntry(
        section="Messages", uri="m/send.md", title="Send", description="Sends.", note="POST /m", name="send"
    ),
)


def test_the_form_is_that_of_llmstxt_org() -> None:
    """A title, a quote, prose with the size of the whole, sections of links; the optional one comes last."""
    site = SiteSummary(
        title="My\nAPI",
        description="About\nit.",
        has_contract=True,
        changes="changelog/changes.json",
        pages=PAGES,
    )

    assert llms_texts(site, 1_234_567)["llms.txt"] == (
        "# My API\n"
        "\n"
        "> About it.\n"
        "\n"
        "Every page of this site is also plain Markdown: the links below lead there. "
        "All of them in one file: [llms-full.txt](llms-full.txt) (1.2 MB).\n"
        "\n"
        "## Guides\n"
        "\n"
        "- [A \\[b\\]](a%20b.md): Two lines.\n"
        "\n"
        "## Messages\n"
        "\n"
        "- [Send](m/send.md): `POST /m` `send`: Sends.\n"
        "\n"
        "## Optional\n"
        "\n"
        "- [openapi.yaml](openapi.yaml): the contract of the API in OpenAPI, as YAML\n"
        "- [openapi.json](openapi.json): the same as JSON\n"
        "- [postman_collection.json](postman_collection.json): its requests as a Postman collection\n"
        "- [changelog/changes.json](changelog/changes.json): the changes of the API in all releases, as JSON\n"
        "- [S](s.md)\n"
    )


def test_no_text_is_lost() -> None:
    """Titles, descriptions and methods with paths are plain text: nothing in them is markup."""
    page = LlmsEntry(
        section="List<A>", uri="a.md", title="Get `List<A>`", description="2*3*4 <b>", note="GET /`a`"
    )

    text = llms_texts(SiteSummary(title="A <b>", description="*B*", pages=(page,)), 1)["llms.txt"]

    shown = plain_text(text)
    assert all(item in shown for item in ("A <b>", "*B*", "List<A>", "Get `List<A>`", "GET /`a`: 2*3*4 <b>"))


def test_addresses_are_absolute_where_the_site_has_one() -> None:
    """Whatever the address ends with."""
    for url in ("https://a.example/docs", "https://a.example/docs/"):
        text = llms_texts(SiteSummary(title="T", url=url, pages=PAGES), 999)["llms.txt"]

        assert "[llms-full.txt](https://a.example/docs/llms-full.txt) (999 bytes)" in text
        assert "(https://a.example/docs/m/send.md)" in text
        assert "openapi" not in text


def test_the_whole_is_every_twin_in_order(tmp_path: Path) -> None:
    """Each under its address, with a rule between them."""
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# {name}\n", encoding="utf-8")
    pages = tuple(LlmsEntry(section="S", uri=name, title=name) for name in ("b.md", "a.md"))

    write_llms(
        tmp_path,
        SiteSummary(title="T", pages=pages),
        lambda uri: (tmp_path / uri).read_text(encoding="utf-8"),
    )

    whole = (tmp_path / "llms-full.txt").read_text(encoding="utf-8")
    assert whole == "Source: b.md\n\n# b.md\n\n---\n\nSource: a.md\n\n# a.md\n"
    assert f"({len(whole)} bytes)" in (tmp_path / "llms.txt").read_text(encoding="utf-8")


def head(uri: str, kind: SearchKind = SearchKind.PAGE, *tags: str) -> PageHead:
    """Return what is known of a page."""
    return PageHead(
        uri=uri, title=f"T {uri}", description="", search=(SearchEntry(title="", kind=kind, tags=tags),)
    )


def test_generated_pages_are_listed_by_folder() -> None:
    """A folder is called as its first page; schemas and what lies deeper can be skipped. An operation with a
    callback is an operation.
    """
    heads = (
        head("index.md"),
        head("reference/authentication.md"),
        head("reference/m/index.md"),
        head("reference/m/send.md", SearchKind.OPERATION, "POST /m", "send"),
        head("reference/m/send/part.md"),
        head("reference/events/sent.md", SearchKind.EVENT, "m.sent"),
        head("reference/schemas/index.md"),
        head("reference/schemas/a.md", SearchKind.SCHEMA),
        head("rates/index.md"),
        replace(
            head("reference/m/charge.md", SearchKind.OPERATION, "POST /c"),
            search=(
                SearchEntry(title="", kind=SearchKind.OPERATION, tags=("POST /c",)),
                SearchEntry(title="charged", kind=SearchKind.EVENT, anchor="callback.charged"),
            ),
        ),
        head("reference/m/charge/callbacks/1.md", SearchKind.EVENT),
    )

    made = llms_entries(heads, overview="index.md")

    assert [llms_entry.name for llms_entry in made if llms_entry.name] == ["send"]
    assert [(llms_entry.section, llms_entry.note) for llms_entry in made] == [
        ("API reference", ""),
        ("API reference", ""),
        ("T reference/m/index.md", ""),
        ("T reference/m/index.md", "POST /m"),
        ("Optional", ""),
        ("Events", "m.sent"),
        ("T reference/schemas/index.md", ""),
        ("Optional", ""),
        ("T rates/index.md", ""),
        ("T reference/m/index.md", "POST /c"),
        ("Optional", ""),
    ]


def test_what_stands_before_a_description_is_not_repeated_in_it() -> None:
    """An operation without a description is described by its method and path, which its line has already."""
    own = head("reference/m/send.md", SearchKind.OPERATION, "POST /m", "send")
    heads = [
        replace(own, description=text)
        for text in (name_sentence("POST /m", "Letters, an API"), "POST /m, an operation that sends.")
    ]

    made = llms_entries(heads, overview="index.md")

    assert [llms_entry.description for llms_entry in made] == ["", "POST /m, an operation that sends."]


def test_pages_alone_in_their_folders_are_listed_with_the_folder_above() -> None:
    """A section for each country would say its name twice, and fill the table of contents with headings."""
    heads = tuple(
        map(head, ("rates/index.md", "rates/de/index.md", "rates/fr/index.md", "rates/fr/old/index.md"))
    )

    made = llms_entries(heads, overview="reference/index.md")

    assert [llms_entry.section for llms_entry in made] == ["T rates/index.md"] * 2 + ["T rates/index.md"] * 2


def entries(section: str, count: int) -> tuple[LlmsEntry, ...]:
    """Return pages of a section, each with about 500 characters."""
    return tuple(
        LlmsEntry(
            section=section, uri=f"{section}/{number}.md", title=f"{section} {number}", description="x" * 460
        )
        for number in range(count)
    )


def test_a_long_table_of_contents_is_divided() -> None:
    """The longest section has files of its own; each page is listed once, and no file is too long to be read."""
    pages = (*entries("guides", 20), *entries("Ops & more", 250), *entries("changelog", 30))
    site = SiteSummary(title="T", url="https://a.example/docs", pages=pages)

    texts = llms_texts(site, 1)

    assert list(texts) == ["llms.txt", *(f"llms/ops-more.{number}.txt" for number in (1, 2, 3, 4))]
    assert max(map(len, texts.values())) < 50_000
    listed = "".join(texts.values())
    assert all(listed.count(f"({site.address(page.uri)})") == 1 for page in pages)
    assert (
        "- [Ops & more, part 2 of 4](https://a.example/docs/llms/ops-more.2.txt): 83 pages"
        in texts["llms.txt"]
    )
    assert "guides 19" in texts["llms.txt"]
    assert texts["llms/ops-more.4.txt"].startswith(
        "# Ops & more, part 4 of 4\n\n"
        "> A section of [llms.txt](https://a.example/docs/llms.txt), the pages of T.\n\n## Ops & more\n\n- ["
    )


def test_sections_whose_names_differ_in_signs_have_files_of_their_own() -> None:
    """Neither takes the other's place."""
    pages = tuple(page for name in ("a b", "a-b", "!!!", "z") for page in entries(name, 78))

    site = SiteSummary(title="T", pages=pages)

    texts = llms_texts(site, 1)

    assert set(texts) == {"llms.txt", "llms/section.txt", "llms/a-b.txt", "llms/a-b-.txt"}
    assert all("".join(texts.values()).count(f"{site.address(page.uri)})") == 1 for page in pages)


def test_links_of_a_section_lead_on_from_its_file() -> None:
    """Without an address of the site they are relative: the file is in a folder, `llms.txt` is not."""
    pages = (*entries("guides", 2), *entries("ops", 250))

    texts = llms_texts(SiteSummary(title="T", pages=pages), 1)

    targets = {
        urljoin(f"https://a.example/{name}", link)
        for name, text in texts.items()
        for link in re.findall(r"\]\(([^)]+)\)", text)
    }
    files = {*texts, "llms-full.txt", *(page.uri for page in pages)}
    assert targets == {f"https://a.example/{name}" for name in files}


def test_sections_of_the_last_build_are_removed(tmp_path: Path) -> None:
    """A section that is short again is listed in `llms.txt`; its old file would say what is not so any more."""
    for number in (250, 1):
        site = SiteSummary(title="T", pages=entries("s", number))
        write_llms(tmp_path, site, lambda _: "")
        sections = sorted(path.name for path in (tmp_path / "llms").glob("*"))

        assert sections == (["s.1.txt", "s.2.txt", "s.3.txt"] if number > 1 else [])
