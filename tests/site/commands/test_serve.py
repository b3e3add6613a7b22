"""Serving: the portal with live reload, another command beside it, and how all of it ends."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from devportal.errors import EnvironmentProblem
from devportal.site.commands.live_server import building
from devportal.site.commands.serve import check_port_is_free
from tests.apps.serving import free_port, local_client
from tests.site.building import contents, run_command, write_contract, write_project
from tests.waiting import PATIENCE_S, wait_until

PAGE = "reference/parcels/get-parcel/"
_MOST_PORTS = 5
"""How many ports are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A portal that is being served, and what the process has said so far."""

    process: subprocess.Popen[bytes]
    address: str
    log: Path

    def page(self, path: str) -> str:
        """Return a page of the portal, or nothing while it does not answer."""
        try:
            return local_client().get(f"{self.address}/{path}").text
        except httpx.TransportError:
            return ""

    def wait_for_page(self, path: str, text: str) -> None:
        """Wait until a page holds a text, or the process has ended."""
        wait_until(
            lambda: text in self.page(path) or self.process.poll() is not None,
            lambda: f"for {text!r} on {path}: {self.said}",
        )
        assert self.process.poll() is None, self.said

    def wait_for_word(self, pattern: str) -> str:
        """Wait until the process has said something, and return it."""
        wait_until(
            lambda: re.search(pattern, self.said) is not None, lambda: f"for {pattern!r} in {self.said}"
        )
        match = re.search(pattern, self.said)
        assert match is not None
        return match.group(match.lastindex or 0)

    @property
    def said(self) -> str:
        """What the process has printed."""
        return self.log.read_text(encoding="utf-8")

    def end(self, with_signal: signal.Signals) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(with_signal)
        return self.process.wait(timeout=PATIENCE_S)


@contextmanager
def serving(config_file: Path, *options: str, module: str = "devportal") -> Iterator[Served]:
    """Serve a project, or a contract, in a process of its own, at a free port; another test may take it first,
    then at another one.
    """
    log = config_file.with_name("serve.log")
    kind = "-f" if config_file.name == "mkdocs.yml" else "--contract"
    environment = {**os.environ, "DEVPORTAL_SANDBOX_TOKEN": "a-token-for-tests"}
    for _ in range(_MOST_PORTS):
        port = free_port()
        at = ("--port", str(port)) if module == "devportal" else ("-a", f"127.0.0.1:{port}")
        command = [sys.executable, "-m", module, "serve", kind, str(config_file), *at]
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, *options], stdout=output, stderr=subprocess.STDOUT, env=environment
            )
        served = Served(process=process, address=f"http://127.0.0.1:{port}", log=log)
        wait_until(lambda: served.process.poll() is not None or "Reading the contract" in served.said)  # noqa: B023
        if process.poll() is None or "Address already in use" not in served.said:
            break
    try:
        yield served
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(timeout=PATIENCE_S)


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def portal_with_a_problem(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a project whose home page has a link that leads nowhere; tests read it and change nothing."""
    config = write_project(tmp_path_factory.mktemp("problem"))
    config.with_name("docs").joinpath("index.md").write_text(
        "# Welcome\n\n[x](nowhere.md)\n", encoding="utf-8"
    )
    with serving(config) as portal:
        portal.wait_for_page("", "Welcome")
        yield portal


_FAILING_HOOK = """
from pathlib import Path
def on_post_build(config):
    {"Welcome": 0}[Path(config.docs_dir, "index.md").read_text()[2:9]]
"""


def write_project_with_hook(folder: Path, hook: str) -> Path:
    """Write a project with a hook, and return its `mkdocs.yml`."""
    config = write_project(folder)
    (folder / "hook.py").write_text(hook, encoding="utf-8")
    config.write_text(f"hooks: [hook.py]\n{config.read_text(encoding='utf-8')}", encoding="utf-8")
    return config


@pytest.fixture(scope="module")
def edited_portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a project with a hook that fails once the home page does not begin with Welcome; tests edit it, and leave
    a site that can be built.
    """
    with serving(write_project_with_hook(tmp_path_factory.mktemp("edited"), _FAILING_HOOK)) as portal:
        portal.wait_for_page(PAGE, "</html>")
        yield portal


def test_files_are_sent_as_published_ones_should_be(portal_with_a_problem: Served) -> None:
    """A request for Markdown gets the twin of a page, and files have media types and encodings."""
    markdown = {"Accept": "text/markdown, text/html;q=0.8"}
    responses = [
        local_client().get(f"{portal_with_a_problem.address}/{path}", headers=headers)
        for path, headers in (
            ("", markdown),
            (PAGE, markdown),
            ("reference/", markdown),
            ("openapi.yaml", markdown),
            (PAGE, {"Accept": "text/html"}),
            ("gone/", markdown),
        )
    ]

    assert [(response.status_code, response.headers["Content-Type"]) for response in responses] == [
        (200, "text/markdown; charset=utf-8"),
        (200, "text/markdown; charset=utf-8"),
        (200, "text/markdown; charset=utf-8"),
        (200, "application/yaml"),
        (200, "text/html; charset=utf-8"),
        (404, "text/html"),
    ]
    assert responses[1].text.startswith("# Find a parcel")


def test_a_change_of_an_input_is_shown(edited_portal: Served) -> None:
    """The contract, a hand-written page; a contract that does not parse is told and survived."""
    portal, folder = edited_portal, edited_portal.log.parent
    replace(folder / "openapi.yaml", "Find a parcel", "Find that parcel")
    portal.wait_for_page(PAGE, "Find that parcel")

    replace(folder / "docs" / "index.md", "Welcome", "Welcome back")
    portal.wait_for_page("", "Welcome back")

    (folder / "openapi.yaml").rename(folder / "kept.yaml")
    (folder / "openapi.yaml").write_text("openapi: [", encoding="utf-8")
    portal.wait_for_word(r"openapi\.yaml:\d+:\d+: this is not YAML")
    (folder / "kept.yaml").replace(folder / "openapi.yaml")
    replace(folder / "openapi.yaml", "Find that parcel", "Find it")
    portal.wait_for_page(PAGE, "Find it")

    assert "Traceback" not in portal.said


@pytest.mark.deep
def test_a_change_of_inherited_settings_is_shown(folder: Path) -> None:
    """Those of the file that `INHERIT` names, of the one that this inherits from, and of one that is named later."""
    settings = write_project(folder)
    for file, text in (
        (folder / "base.yml", "INHERIT: more/base.yml\nsite_description: Described\n"),
        (folder / "more" / "base.yml", "copyright: First notice\n"),
        (folder / "more" / "other.yml", "copyright: Other notice\n"),
    ):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    settings.write_text(f"INHERIT: base.yml\n{settings.read_text(encoding='utf-8')}", encoding="utf-8")
    with serving(settings) as portal:
        portal.wait_for_page("", "First notice")

        replace(folder / "more" / "base.yml", "First", "Second")
        portal.wait_for_page("", "Second notice")
        replace(folder / "base.yml", "more/base.yml", "more/other.yml")
        portal.wait_for_page("", "Other notice")
        replace(folder / "more" / "other.yml", "Other", "Last")
        portal.wait_for_page("", "Last notice")


@pytest.mark.deep
def test_a_contract_alone_is_served(folder: Path) -> None:
    """Its changes are shown, and those of the files that it refers to; nothing is left beside it."""
    (folder / "parts").mkdir()
    shared = folder / "parts" / "answer.yaml"
    shared.write_text("description: It is under way.\n", encoding="utf-8")
    contract = write_contract(folder / "parcels.yaml")
    replace(contract, "'200':", "'404': {$ref: parts/answer.yaml}\n        '200':")
    with serving(contract) as portal:
        portal.wait_for_page(PAGE, "It is under way.")

        replace(contract, "Find a parcel", "Find that parcel")
        portal.wait_for_page(PAGE, "Find that parcel")
        replace(shared, "under way", "lost")
        portal.wait_for_page(PAGE, "It is lost.")

        assert "Parcel Tracking" in portal.page("")
        assert portal.end(signal.SIGINT) == 0
        assert "Traceback" not in portal.said
    assert {path.name for path in folder.iterdir()} == {"parcels.yaml", "parts", "serve.log"}


@pytest.mark.parametrize("module", ["mkdocs", pytest.param("devportal", marks=pytest.mark.deep)])
def test_a_broken_contract_leaves_the_last_good_pages_with_a_banner(module: str, folder: Path) -> None:
    """Every page answers at once and names the problem, until the contract is fixed."""
    with serving(write_project(folder), module=module) as portal:
        contract = folder / "openapi.yaml"
        good = contract.read_text(encoding="utf-8")
        portal.wait_for_page(PAGE, "</html>")
        contract.write_text("openapi: [\n", encoding="utf-8")
        portal.wait_for_page(PAGE, "The last build failed.")

        broken = portal.page(PAGE)
        stylesheet = portal.page("devportal-build-failure.css")
        contract.write_text(good, encoding="utf-8")
        wait_until(lambda: "The last build failed." not in portal.page(PAGE), lambda: portal.said)

    problem = re.search(r"<pre>([^<]+)</pre></div>", broken)
    assert problem is not None
    assert "openapi.yaml" in problem.group(1)
    assert "<h1" in broken
    assert stylesheet.startswith(".dp-build-failure")


@pytest.mark.deep
def test_an_error_in_a_contract_leaves_the_last_good_pages_with_a_banner(folder: Path) -> None:
    """A reference that leads nowhere can be built, but the page would lack what it led to."""
    with serving(write_project(folder)) as portal:
        portal.wait_for_page(PAGE, "weight")

        replace(folder / "openapi.yaml", "type: object", "$ref: '#/components/schemas/None'")

        portal.wait_for_page(PAGE, "#/components/schemas/None")
        assert "The last build failed" in portal.page(PAGE)
        assert "weight" in portal.page(PAGE)
        replace(folder / "openapi.yaml", "$ref: '#/components/schemas/None'", "type: object")
        wait_until(lambda: "The last build failed" not in portal.page(PAGE) != "", lambda: portal.said)


def test_a_contract_that_is_not_there_is_not_served(folder: Path) -> None:
    """2, with what is wrong."""
    done = run_command("serve", "--contract", folder / "nowhere.yaml", "--port", str(free_port()))

    assert done.exit_code == 2
    assert "nowhere.yaml: this file cannot be read" in done.stderr


@pytest.mark.parametrize("ending", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.deep)])
def test_a_sandbox_beside_is_named_and_ends_with_the_portal(folder: Path, ending: signal.Signals) -> None:
    """Pages, guides and the data of the console name it at the port that it took; the contract is as it was.

    Ctrl-C or a polite kill: both ports are free again, and nothing is left behind.
    """
    config = write_project(folder)
    contract = folder / "openapi.yaml"
    replace(contract, "paths:\n", "servers: [{url: http://127.0.0.1:8080}]\npaths:\n")
    before = contract.read_text(encoding="utf-8")
    (folder / "docs/index.md").write_text(
        "# Welcome\n\n    curl http://127.0.0.1:8080/parcels/1\n", encoding="utf-8"
    )
    beside = f"sandbox --port 0 --database '{folder / 'my sandbox.sqlite3'}'"

    with serving(config, "--with", beside) as portal:
        portal.wait_for_page(PAGE, "Find a parcel")
        port = int(portal.wait_for_word(r"Sandbox: +http://127\.0\.0\.1:(\d+)"))
        shown = {path: portal.page(path) for path in ("", PAGE, f"{PAGE}console.json")}
        portal.end(ending)
        wait_until(lambda: is_closed(port), lambda: "for the end of the sandbox")

        assert "Traceback" not in portal.said
    address = f"http://127.0.0.1:{port}"
    assert all(address in text and "127.0.0.1:8080" not in text for text in shown.values()), shown
    assert contract.read_text(encoding="utf-8") == before
    assert (folder / "my sandbox.sqlite3").is_file()


@pytest.mark.deep
@pytest.mark.parametrize("is_project", [False, True])
def test_a_mock_beside_is_named_and_ends_with_the_portal(*, is_project: bool, folder: Path) -> None:
    """Pages name it in place of the contract's only server; it answers as the contract says, pages of the portal may
    call it, and its port is free again after the portal.
    """
    config = write_project(folder) if is_project else write_contract(folder / "openapi.yaml")
    server = "https://api.parcels.example"
    replace(folder / "openapi.yaml", "paths:\n", f"servers: [{{url: '{server}'}}]\npaths:\n")

    with serving(config, "--mock") as portal:
        portal.wait_for_page(PAGE, "Find a parcel")
        port = int(portal.wait_for_word(r"Sandbox: +http://127\.0\.0\.1:(\d+)"))
        page, origin = portal.page(PAGE), {"Origin": portal.address}
        parcel = httpx.get(f"http://127.0.0.1:{port}/parcels/1", headers=origin, timeout=PATIENCE_S)
        portal.end(signal.SIGINT)
        wait_until(lambda: is_closed(port), lambda: "for the end of the mock")

        assert "Traceback" not in portal.said
    assert f"http://127.0.0.1:{port}" in page
    assert server not in page
    assert (parcel.status_code, parcel.json()["detail"]) == (
        404,
        "There is no resource '1' at /parcels/{id}.",
    )
    assert parcel.headers["Access-Control-Allow-Origin"] == "*"


_INTERRUPTING_HOOK = """
import os
import signal
from pathlib import Path


class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)


def on_post_build(config):
    if "Goodbye" in Path(config.docs_dir, "index.md").read_text():
        Finalized()
"""
"""Has a signal arrive in a finalizer, whose exceptions Python drops."""


@pytest.mark.parametrize("is_first_build", [False, pytest.param(True, marks=pytest.mark.deep)])
def test_a_signal_whose_exception_is_lost_ends_the_portal(*, is_first_build: bool, folder: Path) -> None:
    """With 0, after the build in which it arrived."""
    config = write_project_with_hook(folder, _INTERRUPTING_HOOK)
    if is_first_build:
        replace(folder / "docs/index.md", "Welcome", "Goodbye")

    with serving(config) as portal:
        if not is_first_build:
            portal.wait_for_page("", "Welcome")
            replace(folder / "docs/index.md", "Welcome", "Goodbye")
        code = portal.process.wait(timeout=PATIENCE_S)

    assert code == 0, portal.said
    assert "Shutting down" in portal.said


def test_an_error_in_a_hook_is_shown_until_it_is_fixed(edited_portal: Served) -> None:
    """Pages answer and name the kind of the error and its place, without a traceback and the text of the error."""
    replace(edited_portal.log.parent / "docs/index.md", "Welcome", "Goodbye")

    assert_hook_error_is_shown(edited_portal)


@pytest.mark.deep
def test_an_error_in_a_hook_is_shown_if_nothing_was_built_before(folder: Path) -> None:
    """In place of every page."""
    config = write_project_with_hook(folder, _FAILING_HOOK)
    replace(folder / "docs/index.md", "Welcome", "Goodbye")

    with serving(config) as portal:
        assert_hook_error_is_shown(portal)


def assert_hook_error_is_shown(portal: Served) -> None:
    """Wait for the error of the hook, fix the home page, and wait for it."""
    portal.wait_for_page("", "KeyError in ")
    broken = portal.page("")
    replace(portal.log.parent / "docs/index.md", "Goodbye", "Welcome")
    portal.wait_for_page("", '<h1 id="welcome')

    assert "hook.py:4, a file of the project" in broken
    assert "Traceback" not in portal.said
    assert "Goodbye'" not in portal.said


def test_a_failed_build_of_a_whole_site_leaves_the_last_good_one(folder: Path) -> None:
    """With such an extension, MkDocs empties the folder and makes every page again; hidden files stay as well."""
    extensions = [{"pymdownx.snippets": {"check_paths": True}}]
    config_file = write_project(folder, markdown_extensions=extensions)
    page, served = config_file.parent / "docs" / "index.md", folder / "served"
    page.write_text("# Home\n", encoding="utf-8")

    with building(config_file, served, address="127.0.0.1:8000") as builder:
        builder()
        good = contents(served)
        page.write_text('# Home\n\n--8<-- "lost.md"\n', encoding="utf-8")
        with pytest.raises(Exception, match="could not be found"):
            builder()
        kept = contents(served)
        page.write_text("# Home\n\nFixed.\n", encoding="utf-8")
        builder()

    assert kept == good
    assert any(name.startswith(".") for name in good)
    assert "Fixed." in (served / "index.html").read_text(encoding="utf-8")
    assert not [*folder.glob("devportal-*")]


def test_a_first_build_with_problems_says_that_it_failed(portal_with_a_problem: Served) -> None:
    """With their number, after them; the pages are served all the same."""
    before, failed, _ = portal_with_a_problem.said.partition("Build failed: 1 problem, listed above.")

    assert failed
    assert "nowhere.md" in before


@pytest.mark.deep
def test_what_is_said_beside_comes_after_the_build(folder: Path) -> None:
    """The sandbox's token is the last thing on the screen, not the first to leave it; later words follow."""
    beside = f"sandbox --port 0 --database '{folder / 's.sqlite3'}'"
    with serving(write_project(folder), "--with", beside) as portal:
        address = portal.wait_for_word(r"Sandbox: +(http://127\.0\.0\.1:\d+)")
        before, _, _ = portal.said.partition("Sandbox:")
        httpx.get(f"{address}/v1/rates", trust_env=False, timeout=PATIENCE_S)

        portal.wait_for_word("GET /v1/rates 200")
        assert "Serving on" in before


def is_closed(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.mark.deep
def test_a_command_beside_that_fails_ends_the_portal(folder: Path) -> None:
    """2: nobody works on with half of it; which command it was is told."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        beside = f"sandbox --port {listener.getsockname()[1]} --database '{folder / 's.sqlite3'}'"
        with serving(write_project(folder), "--with", beside) as portal:
            code = portal.process.wait(timeout=PATIENCE_S)

    assert code == 2
    assert "error: `devportal sandbox" in portal.said
    assert "Traceback" not in portal.said


@pytest.mark.deep
@pytest.mark.parametrize("ending", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.deep)])
def test_a_command_beside_that_is_told_to_end_is_no_error(folder: Path, ending: signal.Signals) -> None:
    """Ctrl-C in a terminal reaches the command too, and sometimes before the portal: all ends quietly."""
    beside = f"sandbox --port 0 --database '{folder / 's.sqlite3'}'"
    with serving(write_project(folder), "--with", beside) as portal:
        portal.wait_for_word("Sandbox:")
        pid = portal.process.pid
        (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()

        os.kill(int(child), ending)

        portal.process.wait(timeout=PATIENCE_S)
        assert "error:" not in portal.said
        assert "Traceback" not in portal.said


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        pytest.param(
            None, r"openapi\.yaml: there is no such file, which the setting", marks=pytest.mark.deep
        ),
        ("openapi: [\n", r"openapi\.yaml:2:1: this is not YAML.*\n +help: compare"),
    ],
)
def test_a_project_that_cannot_be_built_answers_with_the_problem(
    folder: Path, written: str | None, problem: str
) -> None:
    """Every address names it until a fix is saved; nothing ends, and no page is said to be found."""
    config = write_project(folder)
    contract = folder / "openapi.yaml"
    good = contract.read_text(encoding="utf-8")
    contract.unlink()
    if written is not None:
        contract.write_text(written, encoding="utf-8")

    with serving(config) as portal:
        portal.wait_for_page(PAGE, "Build failed")
        response = httpx.get(f"{portal.address}/{PAGE}", trust_env=False, timeout=PATIENCE_S)
        script = portal.page("devportal-build-failure.js")
        contract.write_text(good, encoding="utf-8")
        portal.wait_for_page(PAGE, "Find a parcel")
        end = portal.end(signal.SIGINT)

    assert response.status_code == 503
    assert re.search(problem, response.text), response.text
    assert "location.reload" in script
    assert (end, "Traceback" in portal.said) == (0, False)


def test_wrong_settings_end_before_anything_is_served(folder: Path) -> None:
    """2, with what is wrong and nothing beside it."""
    config = write_project(folder)
    replace(config, "contract:", "contrakt:")

    done = run_command("serve", "-f", config, "--port", str(free_port()))

    assert done.exit_code == 2
    assert "has no setting 'contrakt'\n  help: did you mean 'contract'?" in done.stderr


def test_a_free_port_is_free() -> None:
    """The probe itself does not keep the port."""
    port = free_port()

    check_port_is_free("127.0.0.1", port)

    with socket.create_server(("127.0.0.1", port)):
        pass


def test_a_taken_port_is_told() -> None:
    """With its address and what to do."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        with pytest.raises(EnvironmentProblem, match=rf"cannot listen on 127\.0\.0\.1:{port}"):
            check_port_is_free("127.0.0.1", port)
