"""Real contracts: our own with its sandbox, the parcels of the tests, and a large one of others."""

import contextlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page, expect
from starlette.middleware.cors import CORSMiddleware

from tests.apps import serving as apps
from tests.apps.parcels import TOKEN, Parcels
from tests.browser.conftest import ROOT, build
from tests.browser.serving import serving
from tests.corpus import corpus_file

from .conftest import answer, send

pytestmark = pytest.mark.browser

KEY = "sk_sandbox_of_the_tests"
STRIPE = "reference/issuing/post-issuing-cardholders/"


@contextlib.contextmanager
def policy_site(site: Path, server: str) -> Iterator[str]:
    """Serve a site that may send to a server."""
    with serving(site, f"default-src 'self'; connect-src 'self' {server}") as address:
        yield address


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the sandbox as a reader does, on a free port; return its address."""
    folder = tmp_path_factory.mktemp("sandbox")
    command = [sys.executable, "-m", "devportal", "sandbox", "--port", "0", "--token", KEY]
    with subprocess.Popen(
        [*command, "--database", str(folder / "db.sqlite3")], cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line.startswith("Sandbox:"):
                    yield line.split()[1]
                    break
        finally:
            process.terminate()
            process.wait(timeout=20)


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory, sandbox: str) -> Iterator[str]:
    """Return the address of a site of our contract with the address of that sandbox in it."""
    folder = tmp_path_factory.mktemp("portal")
    shutil.copytree(
        ROOT / "openapi", folder / "api", ignore=shutil.ignore_patterns("releases", "redirects.yaml")
    )
    contract = folder / "api" / "openapi.yaml"
    text = contract.read_text(encoding="utf-8")
    assert "http://127.0.0.1:8080" in text
    contract.write_text(text.replace("http://127.0.0.1:8080", sandbox), encoding="utf-8")
    build("--contract", str(contract), "--site-dir", str(folder / "site"))
    with policy_site(folder / "site", sandbox) as address:
        yield address


def test_message_is_sent_from_its_page(page: Page, portal: str) -> None:
    """To the sandbox: 202, and the answer keeps the contract."""
    page.goto(f"{portal}/reference/messages/send-message/#try")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("API_KEY").fill(KEY)
    dialog.get_by_role("button", name="Fill Idempotency-Key with a new UUID").click()

    send(dialog)

    expect(answer(dialog).get_by_text("202 Accepted")).to_be_visible()
    expect(answer(dialog).get_by_text("Conforms to the contract")).to_be_visible()
    expect(answer(dialog).get_by_label("Body of the response")).to_contain_text('"status": "queued"')


@pytest.mark.parametrize("number", [1, 4])
def test_other_examples_of_the_page_can_be_sent(number: int, page: Page, portal: str) -> None:
    """Also nested ones; whatever the sandbox answers is as the contract has it."""
    page.goto(f"{portal}/reference/messages/send-message/#try")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("API_KEY").fill(KEY)
    dialog.get_by_label("Start from").select_option(index=number)

    send(dialog)

    expect(answer(dialog).get_by_text("Conforms to the contract")).to_be_visible()


def test_error_of_the_sandbox_keeps_the_contract(page: Page, portal: str) -> None:
    """Without a credential: a problem, told by the schema of its status."""
    page.goto(f"{portal}/reference/messages/list-messages/#try")
    dialog = page.get_by_role("dialog")

    send(dialog)
    dialog.get_by_role("button", name="Send without it").click()

    expect(answer(dialog).get_by_text("401 Unauthorized")).to_be_visible()
    expect(answer(dialog).get_by_text("Conforms to the contract")).to_be_visible()


def test_code_is_the_sample_of_the_page(page: Page, portal: str) -> None:
    """Letter by letter, in each language."""
    page.goto(f"{portal}/reference/messages/send-message/")
    samples = page.locator(".dp-op__samples .dp-panel").first.locator(".dp-tabs--language").first
    page.get_by_role("button", name="Try it").click()
    dialog = page.get_by_role("dialog")

    for language in ("curl", "Python", "Node.js", "PHP", "Go"):
        dialog.get_by_text(language, exact=True).click()
        sample = samples.locator(f"[role=tabpanel][aria-label='{language}'] pre code").text_content() or ""
        expect(dialog.get_by_label("Code of the request")).to_have_text(sample, use_inner_text=False)


def test_parcels_are_registered(page: Page, tmp_path: Path) -> None:
    """With the contract and the server of the conformance tests."""
    every = ["*"]
    app = CORSMiddleware(
        Parcels(), allow_origins=every, allow_methods=every, allow_headers=every, expose_headers=every
    )
    with apps.serving(app) as server:
        text = (ROOT / "tests" / "apps" / "parcels.yaml").read_text(encoding="utf-8")
        contract = tmp_path / "parcels.yaml"
        contract.write_text(text.replace("http://127.0.0.1:8000", server), encoding="utf-8")
        build("--contract", str(contract), "--site-dir", str(tmp_path / "site"))
        with policy_site(tmp_path / "site", server) as address:
            page.goto(f"{address}/")
            page.get_by_role("link", name=re.compile("Register a parcel")).first.click()
            page.get_by_role("button", name="Try it").click()
            dialog = page.get_by_role("dialog")
            dialog.get_by_label("API_KEY").fill(TOKEN)
            send(dialog)

            expect(answer(dialog).get_by_text("201 Created")).to_be_visible()
            expect(answer(dialog).get_by_text("Conforms to the contract")).to_be_visible()


@pytest.fixture(scope="module")
def stripe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a site of a large contract; it names no sandbox, so its settings ask."""
    folder = tmp_path_factory.mktemp("stripe")
    (folder / "docs").mkdir()
    ours = {"contract": str(corpus_file("stripe.json")), "overview": "index.md", "console": "always"}
    settings = {
        "site_name": "Large",
        "theme": {"name": "material"},
        "plugins": ["search", {"devportal": ours}],
    }
    config = folder / "mkdocs.yml"
    config.write_text(yaml.safe_dump(settings), encoding="utf-8")
    build("--config-file", str(config), "--site-dir", str(folder / "site"))
    with serving(folder / "site") as address:
        yield address


@pytest.mark.deep
@pytest.mark.corpus
def test_fields_of_a_large_form_are_made_as_they_are_opened(page: Page, stripe: str) -> None:
    """Of hundreds of optional ones none is there before; each fold that is opened makes one level of them."""
    page.goto(f"{stripe}/reference/customers/post-customers/#try")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Start from").select_option(label="Empty")
    fold = dialog.locator(".dpc-fold").filter(has_text="optional").first
    expect(fold).to_have_text("21 optional")

    fold.locator("summary").click()

    expect(fold.locator(".dpc-row")).to_have_count(21)
    assert dialog.locator("*").count() < 500


@pytest.mark.deep
@pytest.mark.corpus
def test_form_of_a_large_contract_is_filled_in(page: Page, stripe: str) -> None:
    """Deep objects are written into code as they are typed; the server is no sandbox."""
    page.goto(f"{stripe}/{STRIPE}#try")
    dialog = page.get_by_role("dialog")
    code = dialog.get_by_label("Code of the request")

    expect(dialog.get_by_text("Not a sandbox")).to_be_visible()
    expect(code).to_contain_text("'billing[address][city]=Rome'")
    dialog.get_by_label("city").fill("Oslo")
    expect(code).to_contain_text("'billing[address][city]=Oslo'")
    dialog.get_by_label("Start from").select_option(label="Empty")
    expect(code).not_to_contain_text("--data")
