"""`devportal diff` on the command line: exit codes, messages, files."""

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from devportal.cli import cli
from devportal.reporting import Format

from .comparing import CONTRACTS, with_operations
from .repositories import repository

OLD, NEW = str(CONTRACTS / "old.yaml"), str(CONTRACTS / "new.yaml")


def run_diff(*arguments: str | Path, given: str | None = None) -> Result:
    """Run the command."""
    return CliRunner().invoke(cli, ["diff", *map(str, arguments)], prog_name="devportal", input=given)


def write(path: Path, data: object) -> Path:
    """Write data as YAML and return where."""
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    return path


def contract(path: Path, **parts: object) -> Path:
    """Write a contract and return where."""
    return write(path, {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}, **parts})


def test_what_breaks_is_told_and_fails() -> None:
    """Exit code 1, with the place in both files."""
    result = run_diff(OLD, NEW)

    assert result.exit_code == 1
    assert "2 breaking, 2 risky" in result.stdout
    assert f"{NEW}:63:9 (was {OLD}:67:9)" in result.stdout
    assert result.stderr == ""


def test_many_changes_fit_on_a_screen_or_two_unless_all_are_wanted(tmp_path: Path) -> None:
    """The rest is counted, with how to see it; files have everything."""
    paths: dict[str, object] = {f"/{number:03}": {"get": {"responses": {}}} for number in range(200)}
    old, new = contract(tmp_path / "old.yaml", paths=paths), contract(tmp_path / "new.yaml")
    file = tmp_path / "changes.txt"

    short = run_diff(old, new, "--write", f"text={file}").stdout
    whole = run_diff(old, new, "--all").stdout

    assert short.count(" is removed") < 100
    assert len(short.splitlines()) < 120
    assert "--all lists every change" in short
    assert whole.count(" is removed") == 200
    assert "--all" not in whole
    assert file.read_text(encoding="utf-8") == whole


def test_contract_compared_with_itself() -> None:
    """Nothing is told, and nothing fails."""
    result = run_diff(NEW, NEW, "--fail-on", "documentation")

    assert (result.exit_code, result.stdout) == (0, "No change.\n")


@pytest.mark.parametrize(
    ("fail_on", "code"),
    [("never", 0), ("breaking", 0), ("risky", 0), ("compatible", 1), ("documentation", 1)],
)
def test_fail_on(tmp_path: Path, fail_on: str, code: int) -> None:
    """A longer text that clients may send is compatible: it fails from there on."""
    old = contract(tmp_path / "old.yaml", **with_operations(1, 10))
    new = contract(tmp_path / "new.yaml", **with_operations(1, 20))

    assert run_diff(old, new, "--fail-on", fail_on).exit_code == code


def test_versions_of_openapi_may_differ(tmp_path: Path) -> None:
    """What means the same in both is at most words."""
    old = contract(tmp_path / "old.yaml", **with_operations(1, 10), openapi="3.0.3")
    new = contract(tmp_path / "new.yaml", **with_operations(1, 10), openapi="3.2.0")

    assert run_diff(old, new, "--fail-on", "lifecycle").exit_code == 0


def test_acknowledged_change_no_longer_counts(tmp_path: Path) -> None:
    """It is told with its reason, and what else breaks still fails."""
    changes = json.loads(run_diff(OLD, NEW, "--format", "json").stdout)["changes"]
    breaking = [change["fingerprint"] for change in changes if change["verdict"] == "breaking"]
    accepted = {item: {"reason": f"Agreed on {item}.", "date": "2026-11-02"} for item in breaking}
    one = write(tmp_path / "one.yaml", {"acknowledged": {breaking[0]: accepted[breaking[0]]}})
    both = write(tmp_path / "both.yaml", {"acknowledged": accepted})

    assert run_diff(OLD, NEW, "--policy", one).exit_code == 1
    result = run_diff(OLD, NEW, "--policy", both)
    assert result.exit_code == 0
    assert f"accepted 2026-11-02: Agreed on {breaking[0]}." in " ".join(result.stdout.split())


def test_policy_changes_verdicts(tmp_path: Path) -> None:
    """A rule can be made graver by its id."""
    policy = write(tmp_path / "policy.yaml", {"rules": {"operation.text.changed": "breaking"}})

    assert "3 breaking" in run_diff(OLD, NEW, "--policy", policy).stdout


def test_doubtful_acknowledgement_is_told_and_changes_nothing(tmp_path: Path) -> None:
    """On standard error and in JSON; the exit code is that of the changes."""
    future = {"reason": "Agreed.", "date": "2026-11-03"}
    policy = write(tmp_path / "policy.yaml", {"acknowledged": {"0" * 16: future}})
    result = run_diff(NEW, NEW, "--policy", policy, "--today", "2026-11-02", "--format", "json")

    assert result.exit_code == 0
    assert [warning["rule"] for warning in json.loads(result.stdout)["warnings"]] == ["diff-acknowledged"] * 2
    assert result.stderr.count(f"{policy}:") == 2
    assert "warning: no change has the fingerprint '0000000000000000'" in result.stderr
    assert "'2026-11-03', has not come: today is 2026-11-02" in result.stderr


def test_everything_wrong_in_a_policy_is_told(tmp_path: Path) -> None:
    """With file, line and column; nothing is compared."""
    policy = tmp_path / "policy.yaml"
    policy.write_text("response_enum: maybe\nrules:\n  no.such.rule: risky\n", encoding="utf-8")
    result = run_diff(OLD, NEW, "--policy", policy)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"{policy}:1:1: error" in result.stderr
    assert f"{policy}:3:3: error: 'no.such.rule' is not a rule" in result.stderr


def test_today_tells_which_sunsets_have_passed(tmp_path: Path) -> None:
    """What goes after its announced end breaks no promise."""
    gone = {"deprecated": True, "x-sunset": "2026-06-30", "responses": {"204": {"description": "Done."}}}
    old = contract(tmp_path / "old.yaml", paths={"/a": {"get": gone}})
    new = contract(tmp_path / "new.yaml")

    assert run_diff(old, new, "--today", "2026-06-01").exit_code == 1
    assert run_diff(old, new, "--today", "2026-07-02").exit_code == 0


def test_several_formats_at_once(tmp_path: Path) -> None:
    """One on standard output, and as many files as are asked for, in folders that are made."""
    files = {form: tmp_path / "new folder" / f"out.{form}" for form in Format}
    written = [part for form, path in files.items() for part in ("--write", f"{form}={path}")]
    result = run_diff(OLD, NEW, "--format", "json", *written)

    assert result.exit_code == 1
    assert files[Format.JSON].read_text(encoding="utf-8") == result.stdout
    assert all(path.stat().st_size for path in files.values())


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    """And nothing to the terminal; the exit code is the same."""
    path = tmp_path / "page.html"
    result = run_diff(OLD, NEW, "--format", "html", "--output", path)

    assert (result.exit_code, result.stdout) == (1, "")
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_only_some_verdicts_are_shown() -> None:
    """The exit code is that of all changes."""
    result = run_diff(OLD, NEW, "--verdict", "risky", "--verdict", "lifecycle")

    assert result.exit_code == 1
    assert "RISKY (2)" in result.stdout
    assert "LIFECYCLE (1)" in result.stdout
    assert "BREAKING" not in result.stdout


def test_broken_part_is_a_warning_and_the_rest_is_compared(tmp_path: Path) -> None:
    """A reference that leads nowhere stands on standard error, with its place."""
    broken = {"/a": {"$ref": "#/components/pathItems/None"}}
    old = contract(tmp_path / "old.yaml", **with_operations(1, 20))
    parts = with_operations(1, 10)
    new = contract(tmp_path / "new.yaml", **{**parts, "paths": parts["paths"] | broken})
    result = run_diff(old, new)

    assert result.exit_code == 1
    assert "1 breaking" in result.stdout
    assert f"{new}:" in result.stderr
    assert "warning: the reference '#/components/pathItems/None' leads nowhere" in result.stderr


def test_warning_of_a_contract_compared_with_itself_stands_there_once(tmp_path: Path) -> None:
    """One file is both sides."""
    broken = contract(tmp_path / "api.yaml", paths={"/a": {"$ref": "#/components/pathItems/None"}})
    result = run_diff(broken, broken)

    assert result.exit_code == 0
    assert result.stderr.count("leads nowhere") == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read"),
        (b"", "this file is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "not UTF-8"),
        (b"swagger: '1.2'\n", "Swagger 1.2"),
        (b"[1, 2]", "a list"),
        (b"openapi: 4.0.0\n", "'4.0.0' is not supported"),
        (b"a: [1\nb: 2", "2:2"),
    ],
    ids=["missing", "empty", "binary", "swagger", "list", "future", "broken"],
)
def test_file_that_is_no_contract(tmp_path: Path, content: bytes | None, message: str) -> None:
    """Exit code 2, the file and what is wrong with it; both files are told if both are wrong."""
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    if content is not None:
        old.write_bytes(content)
        new.write_bytes(content)
    result = run_diff(old, new)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert [f"error: {path}" in result.stderr for path in (old, new)] == [True, True]
    assert result.stderr.count(message) == 2
    assert "Traceback" not in result.output


def test_folder_is_no_contract(tmp_path: Path) -> None:
    """Told like any other file that cannot be read."""
    result = run_diff(tmp_path, NEW)

    assert result.exit_code == 2
    assert f"error: {tmp_path}: this is a folder, not a file" in result.stderr


@pytest.mark.parametrize(
    "name", ["a b,c:d%.yaml", "-x.yaml", "ü ✓ <b>.yaml", "line\nbreak.yaml", "\udcff.yaml"]
)
def test_files_may_have_odd_names(tmp_path: Path, name: str) -> None:
    """In every format, and with what is no UTF-8."""
    old = contract(tmp_path / "old.yaml", **with_operations(1, 20))
    new = contract(tmp_path / name, **with_operations(1, 10))

    for form in Format:
        result = run_diff("--format", form, "--", old, new)
        assert result.exit_code == 1, result.output
        assert result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "two contracts are needed: devportal diff OLD NEW"),
        ((OLD,), "two contracts are needed"),
        ((OLD, NEW, NEW), "unexpected extra argument"),
        ((OLD, NEW, "--fail-on", "minor"), "'minor' is not one of 'breaking', 'risky'"),
        ((OLD, NEW, "--format", "pdf"), "'pdf' is not one of 'text'"),
        ((OLD, NEW, "--verdict", "all"), "'all' is not one of 'breaking'"),
        ((OLD, NEW, "--write", "html"), "'html' is not FORMAT=FILE with a format of text, json"),
        ((OLD, NEW, "--write", "pdf=x"), "'pdf=x' is not FORMAT=FILE"),
        ((OLD, NEW, "--today", "tomorrow"), "'tomorrow' is not a day: write it as YYYY-MM-DD"),
        ((OLD, NEW, "--today", "20261102"), "'20261102' is not a day"),
        ((OLD, NEW, "--today", "2026-11-31"), "'2026-11-31' is not a day"),
        (("-", "-"), "only one of OLD and NEW can be -"),
        (("https://example.com/a.yaml", NEW), "https://example.com/a.yaml: nothing is read from the network"),
        ((OLD, NEW, "--policy", "no-such.yaml"), "error: no-such.yaml: this file cannot be read"),
        ((OLD, NEW, "--output", OLD), "this file is read, and would be overwritten"),
        ((OLD, NEW, "--write", "json=x", "--write", "html=./x"), "two results would go into this file"),
        ((OLD, NEW, "--output", f"{OLD}/x"), "this file cannot be written: "),
        (("--rules", "--format", "sarif"), "the rules are not listed as sarif"),
        (("--rules", OLD, NEW), "--rules lists every rule and takes no contracts"),
    ],
)
def test_wrong_arguments(arguments: tuple[str, ...], message: str) -> None:
    """Exit code 2 and what is right; no file is touched."""
    before = Path(OLD).read_bytes()
    result = run_diff(*arguments)

    assert result.exit_code == 2
    assert message in result.stderr
    assert Path(OLD).read_bytes() == before


def test_no_file_that_a_contract_refers_to_is_overwritten(tmp_path: Path) -> None:
    """The report names another file than the arguments, and the next comparison would lack it."""
    contract, schema = tmp_path / "openapi.yaml", tmp_path / "id.yaml"
    schema.write_text("type: string\n", encoding="utf-8")
    contract.write_text(
        "openapi: 3.1.0\ninfo: {title: Parcels, version: '1'}\n"
        "paths: {}\ncomponents: {schemas: {Id: {$ref: id.yaml}}}\n",
        encoding="utf-8",
    )

    result = run_diff(str(contract), str(contract), "--write", f"json={schema}")

    assert result.exit_code == 2
    assert "would be overwritten" in result.stderr
    assert schema.read_text(encoding="utf-8") == "type: string\n"


def test_rules_need_no_contracts(tmp_path: Path) -> None:
    """Listed as text, JSON or Markdown, to a file if one is named."""
    path = tmp_path / "rules.json"

    assert "schema.max-length.lowered  (sent: breaking, received: compatible)" in run_diff("--rules").stdout
    assert run_diff("--rules", "--format", "markdown").stdout.startswith("### Document\n\n| rule |")
    assert run_diff("--rules", "--format", "json", "--output", path).exit_code == 0
    assert json.loads(path.read_text(encoding="utf-8"))["rules"]


def test_one_contract_from_standard_input() -> None:
    """Either of them."""
    old, new = (Path(file).read_text(encoding="utf-8") for file in (OLD, NEW))

    assert "(was <stdin>:67:9)" in run_diff("-", NEW, given=old).stdout
    assert "<stdin>:63:9 (was " in run_diff(OLD, "-", given=new).stdout


def test_contract_of_a_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the file of the work tree; a forge is told the path in the repository."""
    old, new = (Path(file).read_text(encoding="utf-8") for file in (OLD, NEW))
    folder = repository(tmp_path / "repository", {"api/openapi.yaml": old})
    write(folder / "api/openapi.yaml", yaml.safe_load(new))
    monkeypatch.chdir(folder / "api")

    assert "(was main:api/openapi.yaml:67:9)" in run_diff("main:./openapi.yaml", "openapi.yaml").stdout
    for form, path in (("github", "file=api/openapi.yaml,"), ("sarif", '"uri": "api/openapi.yaml"')):
        assert path in run_diff("main:./openapi.yaml", "openapi.yaml", "--format", form).stdout


def test_workspace_of_github_is_the_root_of_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty one is none."""
    (tmp_path / "api/.git").mkdir(parents=True)
    new = contract(tmp_path / "api/new.yaml", openapi="3.2.0")
    old = contract(tmp_path / "api/old.yaml")

    for workspace, path in ((str(tmp_path), "api/new.yaml"), ("", "new.yaml")):
        monkeypatch.setenv("GITHUB_WORKSPACE", workspace)
        assert f"::notice file={path},line=4" in run_diff(old, new, "--format", "github").stdout


def test_first_warnings_are_told_and_the_others_counted(tmp_path: Path) -> None:
    """JSON has them all."""

    def write_broken(count: int) -> Path:
        paths = {f"/{number:02}": {"$ref": "#/nowhere"} for number in range(count)}
        return contract(tmp_path / f"{count}.yaml", paths=paths)

    few, many, most = (run_diff(write_broken(count), NEW) for count in (20, 21, 25))

    assert (few.stderr.count("leads nowhere"), "more" in few.stderr) == (20, False)
    assert (many.stderr.count("leads nowhere"), most.stderr.count("leads nowhere")) == (20, 20)
    assert "warning: and 1 more; --format json lists them all" in many.stderr
    assert "warning: and 5 more" in most.stderr
    listed = json.loads(run_diff(write_broken(25), NEW, "--format", "json").stdout)["warnings"]
    assert sum("nowhere" in item["message"] for item in listed) == 25


def test_doubt_of_a_contract_that_is_no_error_is_not_told(tmp_path: Path) -> None:
    """What can be read all the same is not left out: a check of the contract tells it."""
    result = run_diff(contract(tmp_path / "empty.yaml", openapi="3.1"), NEW)

    assert result.stderr == ""


def test_references_outside_need_leave(tmp_path: Path) -> None:
    """Without it they are told, and left out."""
    write(tmp_path / "note.yaml", {"type": "string", "maxLength": 10})
    folder = tmp_path / "api"
    folder.mkdir()
    parts = with_operations(1, 20)
    old = contract(folder / "old.yaml", **parts)
    parts["components"]["schemas"]["Note"] = {"$ref": "../note.yaml"}
    new = contract(folder / "new.yaml", **parts)

    refused = run_diff(old, new)
    allowed = run_diff(old, new, "--allow-outside-references")

    assert "leads outside the contract's folder" in refused.stderr
    assert allowed.stderr == ""
    assert "schema.max-length.lowered" in allowed.stdout


def test_rows_to_acknowledge_what_fails() -> None:
    """They take the place of the report, name each place, and lack the reason."""
    result = run_diff(OLD, NEW, "--acknowledge", "--today", "2026-11-02")
    rows = yaml.safe_load(result.stdout)["acknowledged"]

    assert (result.exit_code, result.stderr) == (0, "")
    assert len(rows) == 2
    assert {(row["reason"], str(row["date"])) for row in rows.values()} == {("", "2026-11-02")}
    assert ["PATCH /parcels/{id} request", "POST /parcels request"] in [
        row["places"] for row in rows.values()
    ]


def test_nothing_to_acknowledge(tmp_path: Path) -> None:
    """Where nothing fails, a comment says so; with an output file, it goes there."""
    file = tmp_path / "rows.yaml"
    result = run_diff(NEW, NEW, "--acknowledge", "--output", file)

    assert (result.exit_code, result.stdout) == (0, "")
    assert file.read_text(encoding="utf-8") == "# No change has to be acknowledged.\n"


REPEATED = """\
openapi: 3.1.0
info: {title: T, version: 1.0.0}
paths:
  /a: {get: {responses: {'200': {description: One.}}}}
  /a: {get: {responses: {'201': {description: Other.}}}}
"""
ONCE = REPEATED.replace("  /a: {get: {responses: {'200': {description: One.}}}}\n", "")


def test_an_old_contract_with_a_repeated_key_is_compared(tmp_path: Path) -> None:
    """A released file cannot be repaired: its last key counts, and a warning shows which one it is."""
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(REPEATED)
    new.write_text(ONCE)

    result = run_diff(old, new)

    assert (result.exit_code, result.stdout) == (0, "No change.\n")
    assert (
        f"{old}:5:3: warning: the key '/a' occurs twice in this mapping; this last one counts"
        in result.stderr
    )


def test_a_repeated_key_of_a_referenced_file_and_of_a_revision_is_allowed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that the old contract refers to are as old as it is."""
    root = "openapi: 3.1.0\ninfo: {title: T, version: 1.0.0}\npaths: {}\ncomponents: {schemas: {A: {$ref: a.json}}}\n"
    part = '{"type": "string", "maxLength": 1, "maxLength": 2}'
    folder = repository(tmp_path / "api", {"openapi.yaml": root, "a.json": part})
    monkeypatch.chdir(folder)

    result = run_diff("main:openapi.yaml", "main:openapi.yaml")
    (folder / "a.json").write_text('{"type": "string", "maxLength": 2}')
    repaired = run_diff("main:openapi.yaml", "openapi.yaml")

    assert "main:a.json:1:36: warning: the key 'maxLength' occurs twice" in repaired.stderr
    assert repaired.stdout == "No change.\n"
    assert "a.json" in result.stderr


def test_a_new_contract_with_a_repeated_key_cannot_be_read(tmp_path: Path) -> None:
    """Whoever writes it now can still fix it."""
    new = tmp_path / "new.yaml"
    new.write_text(REPEATED)

    result = run_diff(NEW, new)

    assert result.exit_code == 2
    assert f"error: {new}:5:3: the key '/a' occurs twice in this mapping" in result.stderr


def test_a_stability_level_that_does_not_exist_is_a_warning(tmp_path: Path) -> None:
    """A misspelt level would soften changes or not: the levels that exist are listed at its place."""
    path = {"get": {"x-stability-level": "betta", "responses": {"200": {"description": "OK"}}}}
    old = contract(tmp_path / "old.yaml", paths={"/a": path})

    result = run_diff(old, old)

    assert "warning: 'betta' is not a stability level" in result.stderr
    assert "one of stable, beta, alpha, draft" in result.stderr
