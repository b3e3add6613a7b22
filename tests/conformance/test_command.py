"""`devportal conformance` on the command line: exit codes, messages, files, and no token anywhere."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from devportal.cli import cli
from devportal.conformance.command import conformance
from tests.apps.faulty import EverythingIsRefused, MissingField
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import closed_port, serving
from tests.conformance.running import CONTRACT

pytestmark = pytest.mark.conformance
ONE = ("--include", "registerParcel")
"""The operation in which the faults of these tests are."""


def run_command(url: str, *arguments: str, token: str = TOKEN, contract: Path = CONTRACT) -> Result:
    """Run the command with the token in the environment."""
    return CliRunner().invoke(
        conformance, [url, "--contract", str(contract), *arguments], env={"DEVPORTAL_TOKEN": token}
    )


def test_green_and_red_and_their_reports(tmp_path: Path) -> None:
    """0 for a right server, 1 for a wrong one; the reports are there, and nowhere is the token."""
    files = [tmp_path / "new" / "report.xml", tmp_path / "result.json"]
    with serving(Parcels()) as right, serving(MissingField()) as wrong:
        green = run_command(right, *ONE)
        red = run_command(wrong, *ONE, "--junit", str(files[0]), "--json", str(files[1]))

    report = json.loads(files[1].read_text())
    assert green.exit_code == 0, green.output
    assert "The deployment conforms to the contract" in green.stdout
    assert red.exit_code == 1, red.output
    assert "response_schema_conformance" in red.stdout
    assert 'Authorization: Bearer $DEVPORTAL_TOKEN"' in red.stdout
    assert report["clean"] is False
    assert "response_schema_conformance" in files[0].read_text()
    for text in (green.output, red.output, *(file.read_text() for file in files)):
        assert TOKEN not in text
        assert TOKEN[:-1] not in text


@pytest.mark.parametrize("option", ["--junit", "--html", "--json", "--sarif", "--baseline-write"])
def test_a_report_that_cannot_be_written_ends_the_command_before_it_sends_anything(
    tmp_path: Path, option: str
) -> None:
    """A long run is not lost at its end."""
    (tmp_path / "file").touch()
    application = Parcels()
    with serving(application) as url:
        result = run_command(url, *ONE, option, str(tmp_path / "file" / "report"))

    assert result.exit_code == 2
    assert f"{tmp_path}/file/report: this file cannot be written: " in result.stderr
    assert "preflight" not in result.stderr


def test_a_report_does_not_replace_the_contract_or_another_report(tmp_path: Path) -> None:
    """The command ends before it sends anything."""
    contract = tmp_path / "openapi.yaml"
    contract.write_text("openapi: 3.1.0\n", encoding="utf-8")
    url = "http://127.0.0.1:9"

    over = run_command(url, "--contract", str(contract), "--junit", str(contract))
    twice = run_command(
        url, "--contract", str(contract), "--json", f"{tmp_path}/a", "--junit", f"{tmp_path}/a"
    )

    assert (over.exit_code, twice.exit_code) == (2, 2)
    assert "would be overwritten" in over.stderr
    assert "two results would go into this file" in twice.stderr
    assert contract.read_text(encoding="utf-8") == "openapi: 3.1.0\n"


def test_a_report_does_not_replace_a_file_that_the_contract_refers_to(tmp_path: Path) -> None:
    """Nor does the list of known failures. Nothing is sent."""
    contract, item = tmp_path / "openapi.yaml", tmp_path / "item.json"
    contract.write_text(
        "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /a: {$ref: item.json}\n", encoding="utf-8"
    )
    item.write_text('{"get": {"responses": {"204": {"description": "Done"}}}}', encoding="utf-8")
    before = item.read_bytes()

    for option in ("--json", "--baseline-write"):
        refused = run_command("http://127.0.0.1:9", "--contract", str(contract), option, str(item))

        assert refused.exit_code == 2
        assert "item.json" in refused.stderr
        assert item.read_bytes() == before


def test_a_merge_does_not_replace_what_it_merges(tmp_path: Path) -> None:
    """A report of a shard is lost else."""
    shard = tmp_path / "1.json"
    shard.write_text("{}", encoding="utf-8")

    refused = CliRunner().invoke(conformance, ["merge", str(shard), "--json", str(shard)])

    assert refused.exit_code == 2
    assert "would be overwritten" in refused.stderr


def test_contract_of_the_project_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --contract it is the one that mkdocs.yml names; without that, the usual one. A near one is advised."""
    monkeypatch.chdir(tmp_path)
    alone = CliRunner().invoke(cli, ["conformance", "http://127.0.0.1:9"])
    Path("swagger.json").touch()
    near = CliRunner().invoke(cli, ["conformance", "http://127.0.0.1:9"])
    Path("mkdocs.yml").write_text("plugins: [{devportal: {contract: api/bread.yaml}}]\n", encoding="utf-8")

    in_project = CliRunner().invoke(cli, ["conformance", "http://127.0.0.1:9"])

    assert (alone.exit_code, in_project.exit_code) == (2, 2)
    assert "error: no contract is named" in alone.stderr
    assert "help: to use the contract swagger.json, add --contract swagger.json" in near.stderr
    assert "error: api/bread.yaml: this file cannot be read" in in_project.stderr


def test_every_report_of_a_run_and_of_its_merge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All files of a run come again from its JSON alone, to the byte; the exit code is the same."""
    monkeypatch.setenv("GITHUB_WORKSPACE", str(CONTRACT.parent))
    names = ("a.xml", "a.html", "a.sarif", "a.json")
    options = ("--junit", "--html", "--sarif", "--json")

    def files(folder: str) -> list[str]:
        pairs = zip(options, names, strict=True)
        return [text for option, name in pairs for text in (option, str(tmp_path / folder / name))]

    with serving(MissingField()) as url:
        ran = run_command(url, *ONE, "--quiet", "--github", *files("run"))
    again = CliRunner().invoke(conformance, ["merge", *files("merge"), str(tmp_path / "run" / "a.json")])

    assert (ran.exit_code, again.exit_code) == (1, 1), ran.output + again.output
    assert ran.stderr == ""
    assert "::error file=parcels.yaml,line=" in ran.stdout
    for name in names:
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "merge" / name).read_bytes()
        assert TOKEN not in (tmp_path / "run" / name).read_text()


@pytest.mark.deep
def test_a_baseline_is_written_filled_in_and_kept(tmp_path: Path) -> None:
    """What it knows does not fail the next run; it is not overwritten without being read."""
    file = tmp_path / "known.yaml"
    with serving(MissingField()) as url:
        first = run_command(url, "--baseline-write", str(file))
        unfilled = run_command(url, "--baseline", str(file))
        file.write_text(file.read_text().replace('reason: ""', "reason: A field of the next release."))
        second = run_command(url, "--baseline", str(file))
        overwriting = run_command(url, "--baseline-write", str(file))

    assert (first.exit_code, second.exit_code) == (1, 0), second.output
    assert "known until" in second.stdout
    assert "A field of the next release." in second.stdout
    assert unfilled.exit_code == 2
    assert "`known.0.reason` is empty" in unfilled.stderr
    assert overwriting.exit_code == 2
    assert "would lose its reasons" in overwriting.stderr


@pytest.mark.parametrize(
    ("text", "message"), [(None, "cannot be read"), ("{}", "it names no format"), ("{", "this is not JSON")]
)
def test_a_merge_of_something_else_is_explained(tmp_path: Path, text: str | None, message: str) -> None:
    """A missing file, and one that is no result: 2, with its name."""
    file = tmp_path / "a.json"
    if text is not None:
        file.write_text(text)

    done = CliRunner().invoke(conformance, ["merge", str(file)])

    assert done.exit_code == 2
    assert str(file) in done.stderr
    assert message in done.stderr


def test_a_run_without_success_is_not_green() -> None:
    """A server that refuses everything in a documented way passes every check, and proves nothing."""
    with serving(EverythingIsRefused()) as url:
        done = run_command(url)

    assert done.exit_code == 1
    assert "no request succeeded [some-success]" in done.stdout


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("127.0.0.1:8080", "is not the base URL of a deployment"),
        ("ftp://127.0.0.1", "is not the base URL of a deployment"),
        ("http://127.0.0.1:99999", "is not a URL"),
        ("http://user:hunter2@127.0.0.1", "holds a user name or a password"),
        ("http://127.0.0.1/?a=b", "has a query"),
    ],
)
def test_a_bad_url_is_explained(url: str, message: str) -> None:
    """What cannot be a base URL ends with 2, a message and no traceback."""
    done = run_command(url)

    assert done.exit_code == 2
    assert message in done.stderr
    assert "hunter2" not in done.output


def test_a_dead_server_is_explained() -> None:
    """Nobody at the port: 2, and what to look at."""
    done = run_command(f"http://127.0.0.1:{closed_port()}")

    assert done.exit_code == 2
    assert "does not respond" in done.stderr


def test_a_missing_and_a_broken_contract_are_explained(tmp_path: Path) -> None:
    """No such file, and a file that is no contract: 2, with the place."""
    (tmp_path / "no.yaml").write_text("a: [1")

    missing = run_command("http://127.0.0.1:1", contract=tmp_path / "none.yaml")
    broken = run_command("http://127.0.0.1:1", contract=tmp_path / "no.yaml")

    assert (missing.exit_code, broken.exit_code) == (2, 2)
    assert "none.yaml" in missing.stderr
    assert "no.yaml:2:1: this is not YAML" in broken.stderr


def test_a_missing_or_refused_token_is_explained() -> None:
    """Without a token, and with one that the server refuses, a run would prove nothing: 2."""
    with serving(Parcels()) as url:
        without = run_command(url, token="")
        refused = run_command(url, token="another-secret-token")

    assert (without.exit_code, refused.exit_code) == (2, 2)
    assert "none was given" in without.stderr
    assert "rejects the token with 401" in refused.stderr
    assert "another-secret-token" not in refused.output


def test_a_token_that_no_header_can_carry_is_not_quoted() -> None:
    """A newline in the middle of a token is named without showing the token."""
    done = run_command("http://127.0.0.1:1", token="secret\nsecond")

    assert done.exit_code == 2
    assert "no header can carry" in done.stderr
    assert "second" not in done.output


def test_no_operation_of_a_stability_is_explained(tmp_path: Path) -> None:
    """A contract without a beta operation has nothing to gate on with `--stability beta`."""
    text = CONTRACT.read_text().replace("x-stability-level: beta", "x-stability-level: stable")
    (tmp_path / "stable.yaml").write_text(text)

    done = run_command("http://127.0.0.1:1", "--stability", "beta", contract=tmp_path / "stable.yaml")

    assert done.exit_code == 2
    assert "no operation of stable.yaml is selected by --stability beta" in done.stderr


def test_the_command_loads_fast() -> None:
    """`devportal --help` must not pay for HTTP clients and Schemathesis."""
    heavy = {"httpx", "schemathesis", "hypothesis", "rich", "jsonschema_rs", "jinja2"}
    script = f"import sys, devportal.conformance.command; print(sorted({heavy} & set(sys.modules)))"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
