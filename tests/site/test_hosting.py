"""The site behind real web servers, set up as the manual says, and how well agents can read it there."""

import getpass
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx
import pytest

from devportal.site.cache.last_build import ContractBuild
from devportal.site.commands.build import build_contract
from tests.apps.serving import free_port
from tests.corpus import corpus_file
from tests.own_site import OwnSite
from tests.site.building import ROOT, write_contract
from tests.waiting import PATIENCE_S, wait_until

pytestmark = pytest.mark.deep
LONGEST_RUN_S = 3000
"""How long `afdocs` may take, which asks for some hundred pages, on a machine that has much else to do."""

MANUAL = (ROOT / "docs" / "toolkit" / "new-portal.md").read_text(encoding="utf-8")
SITE_URL = "https://devportal.example.com/"
SCORE = 97
"""The least score of the Agent-Friendly Documentation Spec, of 100."""


def recipe(language: str, site: Path) -> str:
    """Return what the manual says for a server, for another folder."""
    block = re.search(rf"^    ```{language}\n(.*?)^    ```$", MANUAL, re.MULTILINE | re.DOTALL)
    assert block is not None
    return dedent(block[1]).replace("portal/site", str(site))


def recipe_below_path(language: str, site: Path) -> str:
    """Return what the manual says for a site in a folder `portal` below the root of a server."""
    changed = recipe(language, site.parent)
    for path in ("/404.html", "/assets/devportal/immutable/", "/.well-known/api-catalog"):
        assert f" {path}" in changed
        changed = changed.replace(f" {path}", f" /portal{path}")
    if language == "nginx":
        changed = changed.replace("location / {", "location /portal/ {")
        changed = changed.replace("^(?<page>.*)/$", "^(?<page>/portal.*)/$")
        changed += "location = /portal { return 301 /portal/; }\n"
    return changed


def command(name: str) -> str:
    """Return the path of a program; the test fails in CI without it, and is skipped elsewhere."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if path is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{name} is not installed")
    return str(path)


Recipe = Callable[[str, Path], str]


def nginx_command(folder: Path, site: Path, port: int, settings: Recipe) -> list[str]:
    """Write the settings of nginx, and return how to start it. It reads as this user: others may not enter folders of
    tests.
    """
    (folder / "nginx.conf").write_text(
        f"user {getpass.getuser()}; daemon off;\n"
        f"pid {folder}/pid; error_log stderr; worker_processes 1;\nevents {{}}\nhttp {{ access_log off;\n"
        + "".join(
            f"{item}_temp_path {folder}/{item};\n"
            for item in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        + f"server {{ listen 127.0.0.1:{port};\n{settings('nginx', site)}}} }}\n",
        encoding="utf-8",
    )
    return [command("nginx"), "-c", str(folder / "nginx.conf")]


def caddy_command(folder: Path, site: Path, port: int, settings: Recipe) -> list[str]:
    """Write the settings of Caddy, and return how to start it."""
    (folder / "Caddyfile").write_text(
        f"{{\nadmin off\nauto_https off\n}}\nhttp://127.0.0.1:{port} {{\n{settings('caddy', site)}}}\n",
        encoding="utf-8",
    )
    return [command("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


_KINDS = {".css": "text/css", ".js": "text/javascript", ".woff2": "font/woff2", ".svg": "image/svg+xml"}
COMMANDS = {"nginx": nginx_command, "caddy": caddy_command}


def answers(client: httpx.Client) -> bool:
    """Return whether a server is there."""
    try:
        client.get("/")
    except httpx.TransportError:
        return False
    return True


@contextmanager
def serve_site(server: str, site: Path, folder: Path, settings: Recipe = recipe) -> Iterator[httpx.Client]:
    """Serve a site as the manual says."""
    port = free_port()
    with (folder / "errors.txt").open("w+") as errors:
        started = subprocess.Popen(
            COMMANDS[server](folder, site, port, settings),
            stdout=errors,
            stderr=errors,
            env={**os.environ, "HOME": str(folder)},
        )
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S) as client:
                wait_until(lambda: answers(client) or started.poll() is not None)
                assert started.poll() is None, (folder / "errors.txt").read_text(encoding="utf-8")
                yield client
        finally:
            started.terminate()
            started.wait(PATIENCE_S)


@pytest.mark.parametrize("server", COMMANDS)
def test_agents_get_the_twin_and_browsers_the_page(server: str, own_site: OwnSite, tmp_path: Path) -> None:
    """At the same address, with the headers that the manual promises."""
    site = own_site.site_dir
    with serve_site(server, site, tmp_path) as client:
        for path, twin in {
            "/": "index.md",
            "/rates/": "rates/index.md",
            "/guides/errors/": "guides/errors.md",
        }.items():
            for accepted in ("text/markdown", "text/markdown, text/html;q=0.9, */*;q=0.8"):
                answer = client.get(path, headers={"Accept": accepted})
                assert (answer.status_code, answer.headers["content-type"]) == (
                    200,
                    "text/markdown; charset=utf-8",
                )
                assert answer.text == (site / twin).read_text(encoding="utf-8")
                assert "Accept" in answer.headers["vary"].split(", ")
            page = client.get(path, headers={"Accept": "text/html,*/*;q=0.8"})
            assert page.headers["content-type"] == "text/html; charset=utf-8"
            assert page.headers["cache-control"] == "no-cache"
            assert page.headers["content-security-policy"].startswith("default-src 'self'")
        missing = client.get("/guides/nothing/", headers={"Accept": "text/html"})
        assert missing.status_code == 404
        assert missing.text == (site / "404.html").read_text(encoding="utf-8")
        assert client.get("/guides/nothing/", headers={"Accept": "text/markdown"}).status_code == 404
        catalog = client.get("/.well-known/api-catalog")
        assert catalog.headers["content-type"].startswith("application/linkset+json")
        for ending, kind in _KINDS.items():
            name = next((site / "assets/devportal/immutable").glob(f"*{ending}")).name
            asset = client.get(f"/assets/devportal/immutable/{name}")
            assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert asset.headers["content-type"].partition(";")[0] == kind
            assert asset.headers["content-security-policy"] == page.headers["content-security-policy"]
            if ending != ".svg":  # icons may be too small to be packed
                assert (asset.headers.get("content-encoding") == "gzip") is (ending != ".woff2"), name
        later = client.get("/assets/devportal/matching.js")
        assert (later.headers["cache-control"], later.headers["content-encoding"]) == ("no-cache", "gzip")


@pytest.mark.parametrize("server", COMMANDS)
def test_a_site_below_a_path_works_as_the_manual_says(server: str, tmp_path: Path) -> None:
    """Pages, their twins, files that never change, the page for missing addresses, and the redirect to the home."""
    site = tmp_path / "www" / "portal"
    asked = ContractBuild(
        contract=write_contract(tmp_path / "openapi.yaml"),
        site_dir=site,
        site_url="https://example.com/portal/",
    )
    build_contract(asked, cache=None)

    with serve_site(server, site, tmp_path, recipe_below_path) as client:
        page = client.get("/portal/", headers={"Accept": "text/html"})
        twin = client.get("/portal/", headers={"Accept": "text/markdown"})
        missing = client.get("/portal/nothing/", headers={"Accept": "text/html"})
        files = [
            client.get(path) for path in re.findall(r'(?:href|src)="(/portal/assets/[^"]+)"', missing.text)
        ]
        catalog = client.get("/portal/.well-known/api-catalog")
        home = client.get("/portal", headers={"Accept": "text/html"}, follow_redirects=True)

    assert page.text == home.text == (site / "index.html").read_text(encoding="utf-8")
    assert twin.text == (site / "index.md").read_text(encoding="utf-8")
    assert (missing.status_code, missing.text) == (404, (site / "404.html").read_text(encoding="utf-8"))
    assert files
    assert {response.status_code for response in files} == {200}
    assert "public, max-age=31536000, immutable" in {file.headers["cache-control"] for file in files}
    assert catalog.headers["content-type"].startswith("application/linkset+json")


def test_hosts_that_read_a_file_of_headers_keep_what_never_changes() -> None:
    """They join the values of all rules that match, so only one may have a `Cache-Control`."""
    rules = re.search(r'title="docs/_headers"\n(.*?)```', MANUAL, re.DOTALL)

    assert rules is not None
    assert re.findall(r"(/\S+)\n\s+Cache-Control: (.*)", rules[1]) == [
        ("/assets/devportal/immutable/*", "public, max-age=31536000, immutable")
    ]
    assert rules[1].count("Cache-Control") == 1


@pytest.mark.timeout(LONGEST_RUN_S + 60)
def test_the_score_of_this_portal_for_agents(own_site: OwnSite, tmp_path: Path) -> None:
    """As `afdocs` measures it, the tool of the Agent-Friendly Documentation Spec, on pages that it samples."""
    assert_score(own_site.site_dir, tmp_path)


@pytest.mark.corpus
@pytest.mark.timeout(LONGEST_RUN_S + 120)
def test_the_score_of_the_reference_of_another_contract_for_agents(tmp_path: Path) -> None:
    """A large one, built by `devportal build --contract`."""
    asked = ContractBuild(contract=corpus_file("stripe.json"), site_dir=tmp_path / "site", site_url=SITE_URL)
    build_contract(asked, cache=None)

    assert_score(asked.site_dir, tmp_path)


def assert_score(site: Path, scratch: Path) -> None:
    """Assert that a built site reaches the score, and say what is missing if it does not."""
    measure = [command("afdocs"), "check"]
    with serve_site("nginx", site, scratch) as client:
        done = subprocess.run(
            [*measure, str(client.base_url).rstrip("/"), "--canonical-origin", SITE_URL.rstrip("/"),
             "--request-delay", "0", "--sampling", "deterministic", "--format", "json", "--score", "--quiet"],
            capture_output=True, text=True, timeout=LONGEST_RUN_S, check=False,
        )  # fmt: skip

    scoring: dict[str, Any] = json.loads(done.stdout)["scoring"]
    failed = [result for result in json.loads(done.stdout)["results"] if result["status"] in {"fail", "warn"}]
    assert scoring["overall"] >= SCORE, [(item["id"], item["message"]) for item in failed]
