"""The table of contents for language models, and everything in one file."""

from dataclasses import replace
from pathlib import Path

from devportal.markup import PageHead, SearchEntry, SearchKind, plain_text
from devportal.site.output.llms import LlmsEntry, SiteSummary, llms_entries, llms_text, write_llms

PAGES = (
    LlmsEntry(section="Guides", uri="a b.md", title="A [b]", description="Two\nlines."),
    LlmsEntry(section="Optional", uri="s.md", title="S"),
    LlmsEntry(
        section="Messages", uri="m/send.md", title="Send", description="Sends.", note="POST /m", name="send"
    ),
)


def test_the_form_is_that_of_llmstxt_org() -> None:
    """A title, a quote, prose with the size of the whole, sections of links; the optional one comes last."""
    site = SiteSummary(title="My\nAPI", description="About\nit.", has_contract=True, pages=PAGES)

    assert llms_text(site, 1_234_567) == (
        "# My API\n"
        "\n"
        "> About it.\n"
        "\n"
        "Every page of this site is also plain Markdown: the links below lead there. "
        "All of them in one file: [llms-full.txt](llms-full.txt) (1.2 MB).\n"
        "\n"
        "The whole API for programs: [openapi.yaml](openapi.yaml), [openapi.json](openapi.json), "
        "[postman_collection.json](postman_collection.json).\n"
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
        "- [S](s.md)\n"
    )


def test_no_text_is_lost() -> None:
    """Titles, descriptions and methods with paths are plain text: nothing in them is markup."""
    page = LlmsEntry(
        section="List<A>", uri="a.md", title="Get `List<A>`", description="2*3*4 <b>", note="GET /`a`"
    )

    text = llms_text(SiteSummary(title="A <b>", description="*B*", pages=(page,)), 1)

    shown = plain_text(text)
    assert all(one in shown for one in ("A <b>", "*B*", "List<A>", "Get `List<A>`", "GET /`a`: 2*3*4 <b>"))


def test_addresses_are_absolute_where_the_site_has_one() -> None:
    """Whatever the address ends with."""
    for url in ("https://a.example/docs", "https://a.example/docs/"):
        text = llms_text(SiteSummary(title="T", url=url, pages=PAGES), 999)

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

    assert [one.name for one in made if one.name] == ["send"]
    assert [(one.section, one.note) for one in made] == [
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
