"""The signature playground: it verifies as Python does, and shows why a signature does not fit."""

import base64
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from telecom.signature import Secret
from tests.browser.watching import let_work
from tests.telecom.signature_vectors import VECTORS, body_of

from .playground import causes, choose, field, verdict

pytestmark = pytest.mark.browser

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
MOMENT_MS = 12
"""So long the page may try variants before it does other things."""
RED = "rgb(179, 25, 46)"
"""`--dp-red` of the light colours."""


def test_vectors_are_judged_in_a_browser_too(page: Page) -> None:
    """Each of the file that Python and Node are held to, by the module that the page has loaded."""
    found = page.evaluate(
        """async (vectors) => {
          const script = document.querySelector("script[src*='signature/playground.js']").src;
          const { parseSecret, verify } = await import(new URL("signing.js", script));
          const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
          const judged = vectors.map(({ content, ...one }) =>
            verify({ ...one, body: bytes(content) }, [parseSecret(one.secret)], one.now));
          return (await Promise.all(judged)).map((one) => one.refusal ?? null);
        }""",
        [{**vector, "content": base64.b64encode(body_of(vector)).decode()} for vector in VECTORS],
    )

    assert found == [vector["refusal"] for vector in VECTORS]


def test_vector_that_is_typed_in_is_genuine(page: Page) -> None:
    """The values of the guide, field by field, at the time of signing; a second late is too late."""
    vector = VECTORS[0]
    field(page, "Body").fill(vector["body"])
    field(page, "webhook-id").fill(vector["id"])
    field(page, "webhook-timestamp").fill(vector["timestamp"])
    field(page, "webhook-signature").fill(vector["signature"])
    field(page, "Secrets, one per line").fill(vector["secret"])
    field(page, "Clock").fill(str(vector["now"] + 300))
    expect(verdict(page)).to_have_text("Genuine")
    expect(page.get_by_text("2021-02-25 15:02:10 UTC, 5 min ago")).to_be_visible()

    field(page, "Clock").fill(str(vector["now"] + 301))

    expect(verdict(page)).to_have_text("Rejected: timestamp too old")
    expect(page.get_by_text("The signature matches, but the timestamp is too old.")).to_be_visible()


def test_presets_are_explained(page: Page) -> None:
    """What was done to the delivery is what is told; nothing else, whatever was chosen before."""
    for preset, said in (
        ("spaced", "the same JSON with different spaces or line breaks"),
        ("ordered", "the same JSON with its keys in another order"),
        ("crlf", "the body with CRLF and LF line endings swapped"),
        ("bom", "the body with a byte order mark added or removed"),
        ("milliseconds", "the timestamp in milliseconds"),
        ("other", "one of the other secrets"),
        ("text", "the text of the secret as the key"),
        ("plus", "the correct one with spaces instead of +"),
    ):
        choose(page, preset)

        expect(verdict(page), preset).to_contain_text("Rejected")
        expect(causes(page), preset).to_contain_text([said])


def test_the_last_of_two_presets_is_shown(page: Page) -> None:
    """However long an older one takes to be made."""
    hold_signature(page)
    choose_held(page, "plus")

    choose(page, "none")
    expect(verdict(page)).to_have_text("Rejected: missing header")
    release(page)

    expect(verdict(page)).to_have_text("Rejected: missing header")
    expect(field(page, "webhook-signature")).to_have_value("")


@pytest.mark.parametrize("way", ["Clear", "leaving"])
def test_preset_that_comes_late_does_not_fill_what_was_cleared(way: str, page: Page) -> None:
    """A page that was left keeps no secret; the same preset can be chosen again."""
    hold_signature(page)
    choose_held(page, "plus")

    if way == "Clear":
        page.get_by_role("button", name="Clear").click()
    else:
        page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    release(page)

    expect(field(page, "Secrets, one per line")).to_have_value("")
    expect(field(page, "webhook-signature")).to_have_value("")
    expect(field(page, "Try a case")).to_have_value("")
    choose(page, "plus")
    expect(causes(page)).to_contain_text("with spaces instead of +")


@pytest.mark.parametrize("name", ["Sign with these secrets", "Open a file"])
def test_what_comes_late_does_not_fill_what_was_cleared(name: str, page: Page, tmp_path: Path) -> None:
    """Neither a signature nor a file."""
    hold_signature(page)
    if name == "Open a file":
        file = tmp_path / "body.json"
        file.write_bytes(b"late")
        page.evaluate(
            """() => {
              const read = Blob.prototype.arrayBuffer;
              Blob.prototype.arrayBuffer = function () {
                return new Promise(held).then(() => read.call(this));
              };
            }"""
        )
        page.locator(".signature input[type=file]").set_input_files(file)
    else:
        page.get_by_role("button", name=name).click()
    expect(page.locator("[data-held]")).to_have_count(1)

    page.get_by_role("button", name="Clear").click()
    release(page)

    expect(field(page, "webhook-signature")).to_have_value("")
    expect(field(page, "Body")).to_have_value("")


def hold_signature(page: Page) -> None:
    """Have the next signature that is made wait until it is released; those after it do not."""
    page.evaluate(
        """() => {
          window.held = (go) => {
            window.release = go;
            document.documentElement.dataset.held = "";
          };
          const { sign } = SubtleCrypto.prototype;
          SubtleCrypto.prototype.sign = function (...asked) {
            SubtleCrypto.prototype.sign = sign;
            return new Promise(held).then(() => sign.apply(this, asked));
          };
        }"""
    )


def choose_held(page: Page, preset: str) -> None:
    """Choose a preset, and wait until its signature waits."""
    field(page, "Try a case").select_option(preset)
    expect(page.locator("[data-held]")).to_have_count(1)


def release(page: Page) -> None:
    """Let go what waits, and let the page do with it what it ought not to do."""
    page.evaluate("release()")
    let_work(page)


def test_bodies_are_compared_byte_by_byte(page: Page) -> None:
    """Where they begin to differ, in hexadecimal and as text, with the lengths of both."""
    choose(page, "crlf")
    rows = page.locator(".signature__bytes")

    expect(rows).to_contain_text("Received, 354 bytes")
    expect(rows).to_contain_text("Signed, 340 bytes")
    expect(rows.locator("mark")).to_have_text(["0d ", "[CR]", "0a ", "[LF]"])
    expect(page.get_by_text("They differ from byte 2 on.")).to_be_visible()


def test_what_is_not_proven_is_not_claimed(page: Page) -> None:
    """A changed character could be anything: the page says how much it has tried, and what it cannot know."""
    choose(page, "character")

    expect(causes(page)).to_have_text("No common mistake explains this signature.")
    expect(page.get_by_text(re.compile(r"^Tried [\d,]+ variants"))).to_be_visible()
    expect(page.get_by_text("A signature cannot show where the body differs")).to_be_visible()
    expect(page.locator(".signature__bytes")).to_have_count(0)


def test_long_body_does_not_freeze_the_page(page: Page) -> None:
    """Variants are made a moment at a time: in between the page does other things, and may have enough.

    On a clock that is a millisecond later at each look, so that a moment is always as many variants.
    """
    body = json.dumps(
        [{"note": f"é/{number}", "number": number} for number in range(2000)], ensure_ascii=False
    )

    found = page.evaluate(
        """async (text) => {
          const script = document.querySelector("script[src*='signature/playground.js']").src;
          const { diagnose } = await import(new URL("diagnosis.js", script));
          const body = new TextEncoder().encode(text);
          const delivery = { id: "evt_1", timestamp: "1", signature: `v1,${"A".repeat(43)}=`, body };
          const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
          let [now, signed, longest, asked] = [0, 0, 0, 0];
          const turn = () => { [longest, signed] = [Math.max(longest, signed), 0]; };
          const { sign } = SubtleCrypto.prototype;
          performance.now = () => (now += 1);
          SubtleCrypto.prototype.sign = function (...all) { signed += 1; return sign.apply(this, all); };
          const isWanted = () => {
            setTimeout(turn);  // what else a page has to do
            return (asked += 1) < 20;
          };
          await diagnose({ delivery, secrets, isWanted });
          turn();
          return { size: body.length, asked, longest };
        }""",
        body,
    )

    assert found["size"] > 64 * 1024
    assert found["asked"] == 20
    assert 0 < found["longest"] <= 2 * MOMENT_MS  # the rest of one list of variants, and the first of another


def test_form_of_headers_is_told(page: Page) -> None:
    """A receiver refuses an identifier with a dot before it looks at signatures, even at one that fits."""
    field(page, "webhook-id").fill("evt.1")
    page.get_by_role("button", name="Sign with these secrets").click()

    expect(verdict(page)).to_have_text("Rejected: malformed header")
    expect(page.locator("[data-part=why]")).to_have_text(re.compile("^A header is malformed: .*dot"))
    expect(page.locator(".signature__fits")).to_have_count(1)


def test_one_of_two_signatures_is_enough(page: Page) -> None:
    """After a rotation: which one fits is shown, and that the secret may be the older."""
    choose(page, "rotated")

    expect(verdict(page)).to_have_text("Genuine")
    expect(page.locator(".signature__fits")).to_have_count(1)
    expect(page.locator("[data-part=entries] > li")).to_have_count(2)
    expect(page.get_by_text("for 24 hours after a rotation")).to_be_visible()


def test_opened_file_keeps_its_bytes(page: Page, tmp_path: Path) -> None:
    """A text field would make LF of CRLF: the bytes of the file are verified, until somebody types."""
    body = b'{\r\n  "a": "\xc3\xa9"\r\n}\r\n'
    file = tmp_path / "body.json"
    file.write_bytes(body)

    page.locator(".signature input[type=file]").set_input_files(file)
    facts = f"{len(body)} bytes, CRLF line endings, ends with a line break, not all ASCII"
    expect(page.locator("#signature-facts")).to_contain_text(facts)
    expect(verdict(page)).to_have_text("Rejected: no signature matches")
    page.get_by_role("button", name="Sign with these secrets").click()
    expect(verdict(page)).to_have_text("Genuine")
    expect(page.locator("#signature-facts")).to_contain_text(facts)
    field(page, "Body").press_sequentially(" ")

    expect(verdict(page)).to_have_text("Rejected: no signature matches")


def test_new_secret_signs(page: Page) -> None:
    """A random one of 32 bytes, which the deliveries of before do not fit."""
    page.get_by_role("button", name="New secret").click()
    expect(verdict(page)).to_have_text("Rejected: no signature matches")
    secret = field(page, "Secrets, one per line").input_value()
    page.get_by_role("button", name="Sign with these secrets").click()

    expect(verdict(page)).to_have_text("Genuine")
    assert len(Secret.parse(secret).key) == 32
    assert secret != SECRET


@pytest.mark.parametrize(
    ("label", "value", "said"),
    [
        ("Secrets, one per line", "", "use whsec_ and the Base64 of 24 to 64 bytes."),
        ("Secrets, one per line", "whsec_plainly wrong", "the webhook secret is not Base64"),
        ("Other secrets to try", "whsec_c2hvcnQ=", "the webhook secret has 5 bytes"),
        ("Clock", "noon", "enter whole seconds, such as 300."),
        ("Tolerance", "-1", "enter whole seconds, such as 300."),
    ],
)
def test_fields_that_are_wrong_are_named(label: str, value: str, said: str, page: Page) -> None:
    """The field, with a red border, the mistake, and what to do; a secret is never quoted."""
    field(page, label).fill(value)
    wrong = page.locator(".tool__wrong")

    expect(wrong).to_contain_text(said)
    expect(wrong).to_contain_text(label)
    expect(field(page, label)).to_have_attribute("aria-invalid", "true")
    expect(field(page, label)).to_have_css("border-top-color", RED)
    assert not value or value not in wrong.inner_text()
    field(page, label).fill(SECRET if "ecret" in label else "300")
    expect(wrong).to_be_hidden()
    expect(field(page, label)).to_have_accessible_description(
        "From other endpoints, or from before a rotation." if label.startswith("Other") else ""
    )


def test_what_is_pasted_is_never_read_as_html(page: Page) -> None:
    """Tags in a body, a header and an identifier are text, also where both bodies are compared."""
    evil = "<img src=x onerror=alert(1)>"
    field(page, "Body").fill(json.dumps({"a": evil}))
    field(page, "webhook-id").fill(evil)
    page.get_by_role("button", name="Sign with these secrets").click()
    expect(verdict(page)).to_have_text("Genuine")
    field(page, "Body").fill(json.dumps({"a": evil}, separators=(",", ":")))
    expect(causes(page)).to_contain_text("different spaces")
    field(page, "webhook-signature").fill(evil)
    expect(causes(page)).to_have_text("No common mistake explains this signature.")

    assert page.locator(".signature :is(img, b)").count() == 0
