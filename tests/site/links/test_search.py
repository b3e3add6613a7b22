"""Addresses in the index of the search: what a browser makes of them, and what the check of links does."""

import json
import subprocess
from pathlib import Path

from devportal.markup import SearchEntry
from devportal.site.links.files import addresses_of, read_search_index
from devportal.site.rendering.page_assets import packed_script
from devportal.site.search.columns import COLUMN_SEPARATOR, pack_column
from devportal.site.search.index import SearchIndex
from tests.javascript import node

ROOT = Path(__file__).parents[3]
MATCHING = ROOT / "tools/devportal/site/theme/assets/devportal/matching.js"
SCRIPT = """
import { read } from MATCHING;
let text = "";
for await (const piece of process.stdin) text += piece;
const columns = JSON.parse(text);
const index = read({ parts: [], fields: "", below: "", shapes: "", pages: { page: columns } });
console.log(JSON.stringify(index.pages.map((page) => page.address)));
"""
NAMES = (
    "sendMessage",
    "v1OAuth2Token",
    "issues/lock_2",
    "getSMSStatus",
    "userIDs",
    "Übergröße",
    "_",
    "a-b c",
    "",
)
CODES = ("POST /v1/charges/{charge}", "GET /größe", "message.sent", "PUT /a b", "/v2/x", "ΣΑΣ /a", "")


def test_addresses_are_written_out_as_in_a_browser(tmp_path: Path) -> None:
    """Of all that a name, a title, a method and a path can be, also such as no index of ours leaves out."""
    rows = [
        (address, title, code.rpartition(" ")[2] if method else code, others, method)
        for address in ("a/ ", "a/#b. ", " ", "a/", "a/#b", "# ")
        for title in (*NAMES, "Scope ")
        for code in CODES
        for others in ("", " ", "x\tsendMessage", "x\t ")
        for method in dict.fromkeys(("", code.partition(" ")[0]))
    ]
    addresses, titles, codes, others, methods = zip(*rows, strict=True)
    ends = [f"{method} " if method else "" for method in methods]
    columns = [*map(pack_column, (addresses, titles, codes, others)), "", COLUMN_SEPARATOR.join(ends)]

    assert [*addresses_of(columns)] == _in_a_browser(columns, tmp_path)


def _in_a_browser(columns: list[str], folder: Path) -> list[str]:
    matching = folder / "matching.mjs"
    matching.write_text(packed_script(MATCHING.read_text(encoding="utf-8")), encoding="utf-8")
    done = subprocess.run(
        [node(), "--input-type=module", "--eval", SCRIPT.replace("MATCHING", json.dumps(matching.as_uri()))],
        input=json.dumps(columns),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    addresses: list[str] = json.loads(done.stdout)
    return addresses


def test_every_address_of_an_index_comes_back() -> None:
    """Whatever is left out of it, each leads where its entry is, and stands where its line begins."""
    made = SearchIndex()
    made.add(
        "messages/send-message/", SearchEntry(title="Send message", tags=("POST /messages", "sendMessage"))
    )
    made.add(
        "messages/get-charges/", SearchEntry(title="Get charges", tags=("GET /v1/charges", "GetCharges"))
    )
    made.add("access/", SearchEntry(title="Scope a.b", tags=("a.b",), anchor="scope.a.b"))
    made.add("", SearchEntry(title="Home"))
    text = made.text()

    links = read_search_index(text).links

    assert [link.target for link in links] == [
        "messages/send-message/",
        "messages/get-charges/",
        "access/#scope.a.b",
        "",
    ]
    assert [text[link.offset - 1 : link.offset + 1] for link in links] == [
        '"A',
        f"{COLUMN_SEPARATOR}K",
        f"{COLUMN_SEPARATOR}A",
        f"{COLUMN_SEPARATOR}A",
    ]
