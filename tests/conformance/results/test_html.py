"""The page: it stands alone, keeps its own policy, and trusts no deployment."""

import base64
import hashlib
import re
from dataclasses import replace

from lxml import html as parser  # type: ignore[import-untyped]

from devportal.conformance.results.result import Failure
from devportal.conformance.results.wording import check_page
from devportal.reporting import Format
from tests.conformance.values import FAILURE, FLUKE, HOSTILE, LABEL, result, write_result

ATTACK = replace(
    HOSTILE,
    title="<script>alert(1)</script>",
    message='"><img src=x onerror=alert(1)>',
    operation="GET /<b>",
    promise_text="<style>",
)


def page(*failures: Failure, **changes: object) -> str:
    return write_result(replace(result(*failures), **changes), Format.HTML)  # type: ignore[arg-type]


def test_policy_lets_in_the_one_style_sheet_and_nothing_else() -> None:
    """The hash is that of the style sheet as it stands in the page; no attribute has a style."""
    text = page(FAILURE, FLUKE)
    root = parser.fromstring(text)
    (policy,) = root.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()

    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}';")
    assert root.xpath("//@style | //script | //link | //img | //iframe") == []
    assert "url(" not in style


def test_a_deployment_brings_in_no_markup() -> None:
    """What looks like a tag is text, and control characters are escaped."""
    text = page(ATTACK)

    assert "<script" not in text
    assert "<img" not in text
    assert "<b>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "\x1b" not in text
    assert text.encode()


def test_a_failure_is_told_whole() -> None:
    """Promise with its words, answer, command, seed, page of the check."""
    assert FAILURE.exchange is not None
    before = replace(FAILURE.exchange, request=replace(FAILURE.exchange.request, method="PUT"))
    (article,) = parser.fromstring(page(replace(FAILURE, chain=(before,)))).xpath("//article")
    text = article.text_content()

    assert "Contract: parcels.yaml:30:9" in text
    assert article.xpath(".//pre")[0].text == "id:\n  type: string"
    assert '{"id": "pcl_1"}' in text
    assert "Reproduce with this script of bash" in text
    assert len(re.findall(r"curl -sS", text)) == 2
    assert check_page("", "unique-ids") in text
    assert FAILURE.fingerprint in text


def test_one_failure_in_many_operations_is_shown_once() -> None:
    """With the list of its operations."""
    many = [replace(FAILURE, operation=f"GET /v1/{number}") for number in range(5)]
    articles = parser.fromstring(page(*many)).xpath("//article")

    assert len(articles) == 1
    assert "In 5 operations" in articles[0].text_content()


def test_every_link_leads_somewhere() -> None:
    """The tiles lead to their sections; the check's page is linked where the portal is known."""
    root = parser.fromstring(page(FAILURE, FLUKE, site="https://portal.example"))
    links = [str(item) for item in root.xpath("//a/@href")]

    inside = [link.removeprefix("#") for link in links if link.startswith("#")]
    sections = ["failures", "operations", "uncounted", "gaps", "run"]
    assert inside == [*sections, f"f-{FAILURE.fingerprint}"]
    assert [text for text in inside if not root.xpath(f"//*[@id='{text}']")] == []
    assert check_page("https://portal.example", "unique-ids") in links


def test_text_in_backticks_is_code() -> None:
    """Titles and messages of checks mark names with backticks; the page shows no backtick."""
    (article,) = parser.fromstring(
        page(replace(FAILURE, title="`id` repeats", message="both got `pcl_1`"))
    ).xpath("//article")

    assert [item.text for item in article.xpath("./h3/code | ./p[@class='message']/code")] == ["id", "pcl_1"]
    assert "`" not in article.xpath("string(./h3)") + article.xpath("string(./p[@class='message'])")


def test_drawings_say_what_they_show() -> None:
    """Who cannot see a bar reads its numbers; bars stay inside their box."""
    root = parser.fromstring(page())
    drawings = [str(item) for item in root.xpath("//svg[@role='img']/@aria-label")]
    ends = [
        float(item.get("x", 0)) + float(item.get("width")) for item in root.xpath("//svg[@role='img']/rect")
    ]

    assert drawings == [
        "no response ×1, 201 ×6",
        "median 2 ms, p95 20 ms, p99 30 ms, slowest 31 ms",
        "1 of 2",
    ]
    assert max(ends) <= 200.01


def test_what_was_not_tested_is_told() -> None:
    """Gaps with what they need, and parts of the contract that no request exercised."""
    text = parser.fromstring(page()).text_content()

    assert "a token of another tenant" in text
    assert "1 never exercised" in text
    assert f"{LABEL} 429" in text
    assert "The deployment conforms to the contract." in text
