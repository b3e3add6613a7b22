"""`devportal pull-request` against a forge on this machine: one comment, one status, and clear errors."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from devportal.cli import cli
from devportal.pull_request.comment import MOST_CHARACTERS, comment_marker
from tests.differ.output.comparing import CONTRACTS, HARM
from tests.differ.output.repositories import git, repository, write
from tests.differ.output.test_markdown import html
from tests.notifications.receivers import garbage_server
from tests.pull_request.forge_server import BOT, TOKEN, Failure, Forge, serving

OLD, NEW = (CONTRACTS / name for name in ("old.yaml", "new.yaml"))
SHA = "f00dfeedf00dfeedf00dfeedf00dfeedf00dfeed"
MARKER = comment_marker("openapi.yaml")
DAY = ("--today", "2026-11-02")
BREAKING = ("8394b7fffd7fe7dd", "a42962b32b004854")


@pytest.fixture
def forge() -> Iterator[Forge]:
    """Serve a forge."""
    with serving() as served:
        yield served


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working folder: a branch that changes the contract, and the branch that it goes into."""
    folder = repository(tmp_path / "work", {"openapi.yaml": OLD.read_text(encoding="utf-8")})
    git(folder, "update-ref", "refs/remotes/origin/main", "main")
    git(folder, "checkout", "--quiet", "-b", "topic")
    write(folder, {"openapi.yaml": NEW.read_text(encoding="utf-8")})
    git(folder, "commit", "--quiet", "--all", "--message", "Change")
    monkeypatch.chdir(folder)
    for name in ("GITHUB_WORKSPACE", "GITLAB_CI", "GITHUB_ACTIONS", "GITHUB_EVENT_PATH"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def github(checkout: Path, forge: Forge, monkeypatch: pytest.MonkeyPatch) -> Forge:
    """Set the variables of a job of GitHub Actions for a pull request."""
    event = {
        "pull_request": {"number": 7, "head": {"sha": SHA}, "base": {"ref": "main"}},
        "repository": {"default_branch": "main"},
    }
    path = checkout.parent / "event.json"
    path.write_text(json.dumps(event), encoding="utf-8")
    variables = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_PATH": str(path),
        "GITHUB_REPOSITORY": "ada/parcels",
        "GITHUB_API_URL": forge.url,
        "GITHUB_GRAPHQL_URL": f"{forge.url}/graphql",
        "GITHUB_SERVER_URL": "https://forge.example",
        "GITHUB_RUN_ID": "99",
        "GITHUB_TOKEN": TOKEN,
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return forge


@pytest.fixture
def gitlab(checkout: Path, forge: Forge, monkeypatch: pytest.MonkeyPatch) -> Forge:
    """Set the variables of a job of GitLab CI for a merge request."""
    variables = {
        "GITLAB_CI": "true",
        "CI_API_V4_URL": forge.url,
        "CI_PROJECT_ID": "42",
        "CI_MERGE_REQUEST_PROJECT_ID": "41",
        "CI_MERGE_REQUEST_IID": "7",
        "CI_COMMIT_SHA": SHA,
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "release-2",
        "CI_DEFAULT_BRANCH": "main",
        "CI_PIPELINE_ID": "1234",
        "CI_JOB_URL": "https://forge.example/jobs/1",
        "GITLAB_TOKEN": TOKEN,
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    git(checkout, "update-ref", "refs/remotes/origin/release-2", "main")
    monkeypatch.setenv("CI_MERGE_REQUEST_DIFF_BASE_SHA", "main")
    forge.account = "project_42_bot"
    return forge


def run_command(*arguments: str) -> Result:
    """Run the command; the token is never printed."""
    result = CliRunner().invoke(cli, ["pull-request", *arguments, *DAY], prog_name="devportal")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert TOKEN not in result.output
    return result


def accept_all(checkout: Path, *, until: str = "2026-12-31") -> None:
    """Accept what breaks."""
    rows = {text: {"reason": "Agreed.", "date": "2026-11-01", "until": until} for text in BREAKING}
    (checkout / "diff-policy.yaml").write_text(yaml.safe_dump({"acknowledged": rows}), encoding="utf-8")


def test_the_first_run_writes_a_comment_and_the_second_edits_it(github: Forge, checkout: Path) -> None:
    """One comment however often the job runs, and a status for each commit."""
    first = run_command()
    accept_all(checkout)
    second = run_command()

    (comment,) = github.comments
    assert (first.exit_code, second.exit_code) == (1, 0)
    assert github.writes() == [
        "POST /repos/ada/parcels/issues/7/comments",
        f"POST /repos/ada/parcels/statuses/{SHA}",
        "PATCH /repos/ada/parcels/issues/comments/1",
        f"POST /repos/ada/parcels/statuses/{SHA}",
    ]
    assert [(sha, item["state"], item["context"]) for sha, item in github.statuses] == [
        (SHA, "failure", "API changes: openapi.yaml"),
        (SHA, "success", "API changes: openapi.yaml"),
    ]
    assert github.statuses[0][1]["target_url"] == "https://forge.example/comments/1"
    assert "Accepted on 2026-11-01 until 2026-12-31" in comment["body"]
    assert github.tokens == {f"Bearer {TOKEN}"}


@pytest.mark.usefixtures("checkout")
def test_a_comment_says_what_a_reviewer_needs(github: Forge) -> None:
    """What changes, whom it reaches, the message that proves it, and the command that accepts it."""
    run_command()

    body = github.comments[0]["body"]
    assert body.startswith(f"{MARKER}\n## API changes: 2 breaking, 2 risky")
    assert "2 changes are breaking and not reviewed." in body
    assert "**Worked in 1.4.0:** `POST /parcels" in body or "**Worked in 1.4.0:** `PATCH /parcels" in body
    assert "used by `PATCH /parcels/{id} request`, `POST /parcels request`" in body
    assert '**Accept:** `devportal accept a42962b32b004854 --reason "…"`' in body
    assert body.count("**Accept:**") == 2
    assert "commit f00dfeedf00d · [run](https://forge.example/ada/parcels/actions/runs/99)" in body


@pytest.mark.usefixtures("checkout")
def test_the_same_comment_is_not_written_again(github: Forge) -> None:
    """Nobody gets a notification of nothing."""
    run_command()
    run_command()

    assert [text for text in github.writes() if "comments" in text] == [
        "POST /repos/ada/parcels/issues/7/comments"
    ]


def test_no_changes_any_more_are_said_in_the_comment(github: Forge, checkout: Path) -> None:
    """The comment stays, and says that nothing changes."""
    run_command()
    (checkout / "openapi.yaml").write_bytes(OLD.read_bytes())

    result = run_command()

    assert result.exit_code == 0
    assert "This pull request does not change the contract." in github.comments[0]["body"]
    assert github.statuses[-1][1]["state"] == "success"
    assert len(github.comments) == 1


def test_without_changes_no_comment_is_begun(github: Forge, checkout: Path) -> None:
    """The status alone says that there is nothing to review."""
    (checkout / "openapi.yaml").write_bytes(OLD.read_bytes())

    run_command()

    assert github.comments == []
    assert [item["state"] for _, item in github.statuses] == ["success"]


def test_neutral_changes_pass(github: Forge, checkout: Path) -> None:
    """A reworded summary is in the comment, and there is nothing to accept."""
    text = OLD.read_text(encoding="utf-8").replace("title: Parcels", "title: Parcels of ours")
    (checkout / "openapi.yaml").write_text(text, encoding="utf-8")

    result = run_command()

    assert result.exit_code == 0
    assert github.statuses[0][1]["state"] == "success"
    assert "devportal accept" not in github.comments[0]["body"]


def test_an_expired_acknowledgement_does_not_pass(github: Forge, checkout: Path) -> None:
    """The change is not reviewed any more."""
    accept_all(checkout, until="2026-11-01")

    result = run_command()

    assert result.exit_code == 1
    assert github.statuses[0][1]["state"] == "failure"
    assert "this acknowledgement ended on 2026-11-01" in result.stderr


def test_a_contract_that_cannot_be_compared_does_not_pass(github: Forge, checkout: Path) -> None:
    """The status is an error, and the comment does not show the changes of an earlier commit."""
    (checkout / "openapi.yaml").write_text("openapi: 3.1.0\ninfo: [\n", encoding="utf-8")

    result = run_command()

    assert result.exit_code == 2
    assert github.statuses[0][1]["state"] == "error"
    assert "**The contracts could not be compared.**" in github.comments[0]["body"]


def test_a_new_contract_passes(github: Forge, checkout: Path) -> None:
    """The branch that it goes into has none that could break."""
    write(checkout, {"new.yaml": "openapi: 3.1.0\ninfo: {title: New, version: '1'}\npaths: {}\n"})
    git(checkout, "add", "new.yaml")
    git(checkout, "commit", "--quiet", "--message", "Add")

    result = run_command("--new", "new.yaml")

    assert result.exit_code == 0
    assert (github.comments, github.statuses[0][1]["description"]) == ([], "The contract is new")


@pytest.mark.parametrize("is_renamed", [False, True])
def test_a_contract_is_found_by_another_name_of_it(
    github: Forge, checkout: Path, *, is_renamed: bool
) -> None:
    """By an absolute path, and where the branch renamed it: what breaks does not pass as new."""
    new = str(checkout / "openapi.yaml")
    if is_renamed:
        write(checkout, {"openapi.yaml": f"{OLD.read_text(encoding='utf-8')}\n"})
        git(checkout, "mv", "openapi.yaml", "api.yaml")
        git(checkout, "commit", "--quiet", "--all", "--message", "Rename")
        write(checkout, {"api.yaml": NEW.read_text(encoding="utf-8")})
        new = "api.yaml"

    result = run_command("--new", new)

    assert result.exit_code == 1, result.output
    assert github.statuses[0][1]["state"] == "failure"


def test_a_contract_that_git_does_not_know_is_not_new(github: Forge, checkout: Path) -> None:
    """A generated file would pass each time."""
    (checkout / "generated.yaml").write_bytes(NEW.read_bytes())

    result = run_command("--new", "generated.yaml")

    assert result.exit_code == 2
    assert "git has no 'generated.yaml'" in result.stderr
    assert not any(status["state"] == "success" for _, status in github.statuses)


@pytest.mark.usefixtures("checkout")
def test_comments_of_others_are_left_alone(github: Forge) -> None:
    """Also if they begin with the marker, and also ours that only quote it."""
    github.add_comment(f"{MARKER}\nI am the bot.", "mallory")
    github.add_comment(f"See:\n{MARKER}", BOT)
    before = [comment["body"] for comment in github.comments]

    run_command()
    run_command()

    assert [comment["body"] for comment in github.comments[:2]] == before
    assert len(github.comments) == 3


@pytest.mark.usefixtures("checkout")
def test_each_page_of_comments_is_read(github: Forge) -> None:
    """The comment is the last of 250."""
    for number in range(249):
        github.add_comment(f"Comment {number}", "ada")
    github.add_comment(f"{MARKER}\nold", BOT)

    run_command()

    assert len(github.comments) == 250
    assert "API changes: 2 breaking" in github.comments[-1]["body"]


@pytest.mark.usefixtures("checkout")
def test_the_token_is_not_sent_to_another_origin(github: Forge) -> None:
    """A next page elsewhere is not read."""
    with serving() as other:
        github.other_origin = other.url
        for number in range(101):
            github.add_comment(f"Comment {number}", "ada")

        run_command()

        assert other.calls == []


@pytest.mark.usefixtures("checkout")
def test_the_account_of_a_job_is_known_if_graphql_is_not_allowed(github: Forge) -> None:
    """It is that of GitHub Actions."""
    github.failures.append(Failure("graphql", 403))
    run_command()
    run_command("--fail-on", "risky")

    assert len(github.comments) == 1


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (
            Failure("GET .*comments", 403),
            "GitHub returned 403 for GET /repos/ada/parcels/issues/7/comments: Resource",
        ),
        (
            Failure("GET .*comments", 404, body=b'{"message": "Not Found"}'),
            "pull-requests: write, statuses: write",
        ),
        (
            Failure("POST .*comments", 500, body=b"<html>"),
            "the error is that of the forge: run the job again later",
        ),
        (Failure("POST .*comments", 502), "GitHub returned 502"),
        (
            Failure("GET .*comments", 403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1793620800"}),
            "GitHub accepts no more requests for now (rate limit, 403)",
        ),
        (Failure("GET .*comments", 429, {"Retry-After": "60"}), "run the job again in 60 seconds"),
        (Failure("GET .*comments", 302, {"Location": "https://evil.example/"}), "redirects are not followed"),
        (Failure("GET .*comments", 200, body=b"<html>"), "GitHub returned no JSON"),
        (Failure("GET .*comments", 200, body=b"{}"), "GitHub returned no list"),
        (Failure("GET .*comments", 200, body=b"[" * 200_000), "GitHub returned no JSON"),
        (Failure("GET .*comments", 400, body=b"[" * 60_000), "GitHub returned 400"),
        (Failure("statuses", 422, body=b'{"message": "No commit found"}'), "No commit found"),
        (Failure("GET .*comments", 401, body=TOKEN.join(['{"message": "bad ', '"}']).encode()), "bad ***"),
    ],
)
@pytest.mark.usefixtures("checkout")
def test_a_refusal_of_the_forge_is_an_error(github: Forge, failure: Failure, message: str) -> None:
    """With exit code 2; the status is set all the same if only the comment fails."""
    github.failures.append(failure)

    result = run_command()

    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert [item["state"] for _, item in github.statuses] == (
        [] if failure.path == "statuses" else ["failure"]
    )


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("GITHUB_TOKEN", "", "the environment variable GITHUB_TOKEN is not set"),
        ("GITHUB_TOKEN", "a\nb", "the environment variable GITHUB_TOKEN is not a token"),
        ("GITHUB_API_URL", "http://forge.example", "the address of the API of GitHub cannot be used"),
        ("GITHUB_API_URL", "https://ada:pw@forge.example", "cannot be used"),
        ("GITHUB_GRAPHQL_URL", "http://forge.example/graphql", "GITHUB_GRAPHQL_URL cannot be used"),
        ("GITHUB_API_URL", "http://127.0.0.1:1", "GitHub cannot be reached"),
        ("GITHUB_EVENT_PATH", "nowhere.json", "the event of the job cannot be read"),
    ],
)
@pytest.mark.usefixtures("checkout", "github")
def test_a_job_that_cannot_comment_says_why(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, message: str
) -> None:
    """With exit code 2, before anything is compared or after."""
    monkeypatch.setenv(variable, value)

    result = run_command()

    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.usefixtures("checkout", "github")
def test_a_forge_that_speaks_no_http_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a traceback."""
    with garbage_server() as address:
        monkeypatch.setenv("GITHUB_API_URL", address)

        result = run_command()

    assert result.exit_code == 2
    assert "GitHub cannot be reached" in result.stderr


@pytest.mark.usefixtures("github")
def test_a_push_is_no_pull_request(checkout: Path) -> None:
    """The message says on which event to run."""
    (checkout.parent / "event.json").write_text('{"pull_request": null}', encoding="utf-8")

    result = run_command()

    assert (result.exit_code, "run it on: pull_request" in result.stderr) == (2, True)


@pytest.mark.usefixtures("checkout")
def test_outside_of_ci_the_comment_is_only_shown() -> None:
    """Without a job there is nothing to comment on; --dry-run needs none, and no token."""
    shown, refused = run_command("--dry-run"), run_command()

    assert (shown.exit_code, refused.exit_code) == (1, 2)
    assert shown.stdout.startswith(MARKER)
    assert (
        "Status API changes: openapi.yaml: failure, 2 changes are breaking and not reviewed" in shown.stdout
    )
    assert "run it in CI for a pull request, or with --dry-run" in refused.stderr


def test_the_project_names_contract_and_policy(checkout: Path) -> None:
    """As it does for a build; the command that accepts a change needs neither then."""
    git(checkout, "mv", "openapi.yaml", "api.yaml")
    settings = {"plugins": [{"devportal": {"contract": "api.yaml", "policy": "api-policy.yaml"}}]}
    (checkout / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    (checkout / "api-policy.yaml").write_text("rules: {schema.max-length.lowered: risky}\n", encoding="utf-8")
    git(checkout, "commit", "--quiet", "--all", "--message", "Move")

    result = run_command("--dry-run", "--old", "main:openapi.yaml")

    assert "Status API changes: api.yaml: failure, 1 change is breaking and not reviewed" in result.stdout
    assert "devportal accept 8394b7fffd7fe7dd --old main:openapi.yaml --reason" in result.stdout


def test_gitlab_gets_the_same(gitlab: Forge, checkout: Path) -> None:
    """A note that is edited, and a status in the pipeline of the job; the branch is no default one."""
    first = run_command()
    accept_all(checkout)
    second = run_command()

    (note,) = gitlab.comments
    assert (first.exit_code, second.exit_code) == (1, 0)
    assert gitlab.writes() == [
        "POST /projects/41/merge_requests/7/notes",
        f"POST /projects/41/statuses/{SHA}",
        "PUT /projects/41/merge_requests/7/notes/1",
        f"POST /projects/41/statuses/{SHA}",
    ]
    assert [(item["state"], item["pipeline_id"]) for _, item in gitlab.statuses] == [
        ("failed", 1234),
        ("success", 1234),
    ]
    assert gitlab.statuses[0][1]["target_url"] == "https://forge.example/jobs/1"
    assert gitlab.tokens == {TOKEN}
    assert note["body"].startswith(MARKER)


@pytest.mark.usefixtures("checkout")
def test_the_command_names_the_contracts_that_were_compared(gitlab: Forge, tmp_path: Path) -> None:
    """If the default ones are others."""
    policy = tmp_path / "our policy.yaml"
    policy.write_text("{}", encoding="utf-8")

    run_command("--policy", str(policy))

    options = f"--old origin/release-2:./openapi.yaml --policy '{policy}'"
    assert f'devportal accept a42962b32b004854 {options} --reason "…"' in gitlab.comments[0]["body"]


@pytest.mark.parametrize(("name", "value"), [("CI_MERGE_REQUEST_IID", ""), ("GITLAB_TOKEN", "")])
@pytest.mark.usefixtures("checkout", "gitlab")
def test_a_job_of_gitlab_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """A merge request, or a token."""
    monkeypatch.setenv(name, value)

    result = run_command()

    assert result.exit_code == 2
    assert "merge request" in result.stderr or "GITLAB_TOKEN is not set" in result.stderr


def _contract_of_size(count: int, name: str = "p") -> str:
    paths = {
        f"/{name}{number}": {"get": {"responses": {"200": {"description": "OK"}}}} for number in range(count)
    }
    return yaml.safe_dump({"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths})


@pytest.mark.parametrize("is_astral", [False, True])
def test_a_long_comment_fits_and_counts_what_is_left_out(
    github: Forge, checkout: Path, *, is_astral: bool
) -> None:
    """However many changes there are, and however long their names are."""
    name = ("\U0001f4e6" if is_astral else "x") * 100
    (checkout / "old.yaml").write_text(_contract_of_size(900, name), encoding="utf-8")
    text = _contract_of_size(0).replace("paths: {}", "paths: {/other: {get: {responses: {}}}}")
    (checkout / "openapi.yaml").write_text(text, encoding="utf-8")

    run_command("--old", "old.yaml")

    body = github.comments[0]["body"]
    assert len(body) <= MOST_CHARACTERS
    assert "more change" in body or " and " in body
    assert body.rstrip().endswith("devportal keeps this comment up to date</sub>")


def test_texts_of_a_contract_are_no_markup(github: Forge, checkout: Path) -> None:
    """Neither HTML, nor a mention, a reference, a link, a command of GitLab or a comment that hides the rest."""
    harm = f'{HARM} @everyone <!-- --> ![x](https://evil.example/x.png)\n/close\n~label !12 $34 %"m" www.evil.example'
    operation = {"summary": harm, "operationId": harm, "responses": {"200": {"description": harm}}}
    old = {
        "openapi": "3.1.0",
        "info": {"title": harm, "version": harm},
        "paths": {"/a": {"get": operation, "post": operation}},
        "components": {"schemas": {harm: {"type": "string"}}},
    }
    new = {
        **old,
        "info": {"title": harm, "version": f"{harm}2"},
        "paths": {"/a": {"get": {**operation, "summary": "x"}}},
    }
    (checkout / "old.yaml").write_text(yaml.safe_dump(old), encoding="utf-8")
    (checkout / "openapi.yaml").write_text(yaml.safe_dump(new), encoding="utf-8")

    result = run_command("--old", "old.yaml")

    body = github.comments[0]["body"]
    outside_of_code = "".join(body.split("`")[::2])
    assert result.exit_code == 1
    assert body.count("<!--") == 1
    assert "@everyone" not in outside_of_code
    assert "<b>@ada" not in body
    assert set(re.findall(r"<(\w+)", html(body))) <= {
        "h2",
        "h3",
        "p",
        "strong",
        "code",
        "ul",
        "li",
        "sub",
        "br",
        "a",
        "details",
        "summary",
        "b",
    }
    assert re.findall(r'<a href="([^"]*)"', html(body)) == [
        "https://forge.example/ada/parcels/actions/runs/99"
    ]
    assert [line for line in body.splitlines() if line.startswith("/")] == []
    assert all(
        item not in outside_of_code for item in ("!12", "$34", "~label", '%"m"', "www.evil", "://evil")
    )
