"""GitHub and GitLab: the pull request that a job runs for, its comments and the status of its commit."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from devportal.errors import EnvironmentProblem, InvalidSettings, UnreadableInput
from devportal.pull_request.rest import RefusedRequest, RestClient, refuse_unsafe_address

_GITHUB_BOT = "github-actions[bot]"
"""Who writes with the token of a job."""
_LONGEST_DESCRIPTION = 140
"""Code points of the description of a status (GitHub, "Create a commit status")."""


class StatusState(StrEnum):
    """The state of a commit."""

    SUCCESS = "success"
    FAILURE = "failure"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The status of a commit, which pages of pull requests show by its name."""

    state: StatusState
    name: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment of a pull request; `author` is the name of its account."""

    id: str
    body: str
    author: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """What a job runs for. `sha` is the last commit of the branch, `project` what the API calls the repository.

    `base` is the revision to compare with, `target` the branch it goes into, if that is not the default one.
    """

    project: str
    number: int
    sha: str
    base: str = ""
    target: str = ""
    run_url: str = ""
    pipeline: str = ""


class Forge(Protocol):
    """A forge as a command sees it. Every call raises EnvironmentProblem if it fails."""

    @property
    def name(self) -> str:
        """Return what people call the forge."""

    @property
    def pull_request(self) -> PullRequest:
        """Return what the job runs for."""

    def account(self) -> str:
        """Return the name of the account that the token belongs to."""

    def comments(self) -> Iterator[Comment]:
        """Yield the comments, the oldest first."""

    def create_comment(self, body: str) -> Comment:
        """Write a comment."""

    def update_comment(self, comment: Comment, body: str) -> Comment:
        """Replace the text of a comment."""

    def set_status(self, status: Status, url: str) -> None:
        """Set the status of the commit, with a link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHub:
    """GitHub, or a server of one's own with its API."""

    client: RestClient
    pull_request: PullRequest
    graphql: str = ""
    name: str = "GitHub"

    def account(self) -> str:
        """Return the account; the token of a job can only ask for it by GraphQL."""
        try:
            reply = self.client.send("POST", self.graphql, {"query": "query { viewer { login } }"})
            login = reply.data["data"]["viewer"]["login"]
        except (RefusedRequest, KeyError, TypeError):
            return _GITHUB_BOT
        return str(login)

    def comments(self) -> Iterator[Comment]:
        """Yield the comments of the pull request, page by page."""
        path = f"{self._repository}/issues/{self.pull_request.number}/comments?per_page=100"
        return map(_github_comment, self.client.pages(path))

    def create_comment(self, body: str) -> Comment:
        """Write a comment."""
        path = f"{self._repository}/issues/{self.pull_request.number}/comments"
        return _github_comment(self.client.send("POST", path, {"body": body}).data)

    def update_comment(self, comment: Comment, body: str) -> Comment:
        """Replace the text of a comment."""
        path = f"{self._repository}/issues/comments/{comment.id}"
        return _github_comment(self.client.send("PATCH", path, {"body": body}).data)

    def set_status(self, status: Status, url: str) -> None:
        """Set the status."""
        self.client.send(
            "POST",
            f"{self._repository}/statuses/{self.pull_request.sha}",
            {
                "state": status.state,
                "context": status.name,
                "description": status.description[:_LONGEST_DESCRIPTION],
                **({"target_url": url} if url else {}),
            },
        )

    @property
    def _repository(self) -> str:
        return f"/repos/{quote(self.pull_request.project)}"


def _github_comment(data: Any) -> Comment:
    data = data if isinstance(data, dict) else {}
    user = data.get("user") or {}
    return Comment(
        id=str(data.get("id", "")),
        body=data.get("body") or "",
        author=str(user.get("login", "")),
        url=data.get("html_url") or "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GitLab:
    """GitLab, its own site or another one."""

    client: RestClient
    pull_request: PullRequest
    name: str = "GitLab"

    def account(self) -> str:
        """Return the user name that the token belongs to, empty if GitLab does not name one."""
        data = self.client.send("GET", "/user").data
        return str(data.get("username", "")) if isinstance(data, dict) else ""

    def comments(self) -> Iterator[Comment]:
        """Yield the notes of the merge request, the oldest first."""
        return map(_gitlab_comment, self.client.pages(f"{self._notes}?per_page=100&sort=asc"))

    def create_comment(self, body: str) -> Comment:
        """Write a note."""
        return _gitlab_comment(self.client.send("POST", self._notes, {"body": body}).data)

    def update_comment(self, comment: Comment, body: str) -> Comment:
        """Replace the text of a note."""
        return _gitlab_comment(self.client.send("PUT", f"{self._notes}/{comment.id}", {"body": body}).data)

    def set_status(self, status: Status, url: str) -> None:
        """Set the status, in the pipeline of the job if it is known: in no other one than reviewers look at."""
        request = self.pull_request
        self.client.send(
            "POST",
            f"{self._project}/statuses/{request.sha}",
            {
                "state": "success" if status.state is StatusState.SUCCESS else "failed",
                "name": status.name,
                "description": status.description[:_LONGEST_DESCRIPTION],
                **({"target_url": url} if url else {}),
                **({"pipeline_id": int(request.pipeline)} if request.pipeline.isdecimal() else {}),
            },
        )

    @property
    def _project(self) -> str:
        return f"/projects/{quote(self.pull_request.project, safe='')}"

    @property
    def _notes(self) -> str:
        return f"{self._project}/merge_requests/{self.pull_request.number}/notes"


def _gitlab_comment(data: Any) -> Comment:
    data = data if isinstance(data, dict) else {}
    author = data.get("author") or {}
    return Comment(
        id=str(data.get("id", "")), body=data.get("body") or "", author=str(author.get("username", ""))
    )


_Variables = Mapping[str, str]


def forge_of_job(environment: _Variables) -> Forge:
    """Return the forge and the pull request that the variables of a CI job name.

    Raises InvalidSettings if the job runs for none or has no token, UnreadableInput for a broken event file.
    """
    if environment.get("GITLAB_CI"):
        return _gitlab(environment)
    if environment.get("GITHUB_ACTIONS") or environment.get("GITHUB_EVENT_PATH"):
        return _github(environment)
    raise InvalidSettings(
        "this is not a job of GitHub Actions or GitLab CI, so there is no pull request to comment on",
        help="run it in CI for a pull request, or with --dry-run to see the comment",
    )


def _github(environment: _Variables) -> GitHub:
    request = github_pull_request(environment)
    token = _token(environment, "GITHUB_TOKEN", "in the step write env: {GITHUB_TOKEN: ${{ github.token }}}")
    api = environment.get("GITHUB_API_URL") or "https://api.github.com"
    client = RestClient(
        forge="GitHub",
        base=api,
        headers={"Authorization": f"Bearer {token}", "X-GitHub-Api-Version": "2022-11-28"},
        secret=token,
        help_if_forbidden="give the job `permissions: {contents: read, pull-requests: write, statuses: write}`; "
        "for pull requests from forks, GitHub gives it a token that only reads",
    )
    graphql = environment.get("GITHUB_GRAPHQL_URL") or f"{api.rstrip('/')}/graphql"
    refuse_unsafe_address(graphql, name="GITHUB_GRAPHQL_URL")
    return GitHub(client=client, pull_request=request, graphql=graphql)


def github_pull_request(environment: _Variables) -> PullRequest:
    """Return the pull request of a GitHub event. Raises InvalidSettings or UnreadableInput."""
    path = environment.get("GITHUB_EVENT_PATH", "")
    try:
        event = json.loads(Path(path).read_bytes()) if path else {}
    except (OSError, ValueError) as error:
        raise UnreadableInput(
            f"{path}: the event of the job cannot be read: {error}",
            help="run the command in a job of GitHub Actions",
        ) from error
    data = event.get("pull_request") if isinstance(event, dict) else None
    repository = environment.get("GITHUB_REPOSITORY", "")
    try:
        number, sha, base = int(data["number"]), str(data["head"]["sha"]), str(data["base"]["ref"])  # type: ignore[index]
    except (KeyError, TypeError, ValueError):
        raise InvalidSettings(
            "this job does not run for a pull request: its event has none",
            help="run it on: pull_request, or with --dry-run to see the comment",
        ) from None
    default = (event.get("repository") or {}).get("default_branch")
    server, run = environment.get("GITHUB_SERVER_URL", ""), environment.get("GITHUB_RUN_ID", "")
    return PullRequest(
        project=repository,
        number=number,
        sha=sha,
        base=f"origin/{base}",
        target="" if base == default else base,
        run_url=f"{server}/{repository}/actions/runs/{run}" if server and run else "",
    )


def _gitlab(environment: _Variables) -> GitLab:
    request = gitlab_merge_request(environment)
    token = _token(
        environment,
        "GITLAB_TOKEN",
        "add a project access token with the scope api and the role Developer as a masked variable",
    )
    client = RestClient(
        forge="GitLab",
        base=environment.get("CI_API_V4_URL") or "https://gitlab.com/api/v4",
        headers={"PRIVATE-TOKEN": token},
        secret=token,
        help_if_forbidden="GITLAB_TOKEN needs the scope api and the role Developer in this project; the token of a "
        "job (CI_JOB_TOKEN) cannot comment",
    )
    return GitLab(client=client, pull_request=request)


def gitlab_merge_request(environment: _Variables) -> PullRequest:
    """Return the merge request of a GitLab job. Raises InvalidSettings."""
    number = environment.get("CI_MERGE_REQUEST_IID", "")
    project = environment.get("CI_MERGE_REQUEST_PROJECT_ID") or environment.get("CI_PROJECT_ID", "")
    sha = environment.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") or environment.get("CI_COMMIT_SHA", "")
    if not number.isdecimal() or not project or not sha:
        raise InvalidSettings(
            "this job does not run for a merge request",
            help='add the rule `if: $CI_PIPELINE_SOURCE == "merge_request_event"`, or see the comment with --dry-run',
        )
    target = environment.get("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "")
    return PullRequest(
        project=project,
        number=int(number),
        sha=sha,
        base=environment.get("CI_MERGE_REQUEST_DIFF_BASE_SHA", ""),
        target="" if target == environment.get("CI_DEFAULT_BRANCH") else target,
        run_url=environment.get("CI_JOB_URL", ""),
        pipeline=environment.get("CI_PIPELINE_ID", ""),
    )


def _token(environment: _Variables, name: str, advice: str) -> str:
    token = environment.get(name, "").strip()
    if not token:
        raise InvalidSettings(f"the environment variable {name} is not set", help=advice)
    if not token.isascii() or not token.isprintable():
        raise InvalidSettings(f"the environment variable {name} is not a token", help=advice)
    return token


def keep_comment(forge: Forge, marker: str, body: str, *, is_needed: bool) -> Comment | None:
    """Write the comment that begins with a marker, or replace the one of ours that does; return it.

    If it is not needed, none is begun. Comments of other accounts are left alone, whatever they begin with.
    """
    account = forge.account()
    if not account:
        raise EnvironmentProblem(f"{forge.name} does not say whose token this is", help="use another token")
    present = next(
        (
            comment
            for comment in forge.comments()
            if comment.body.startswith(marker) and comment.author == account
        ),
        None,
    )
    if present is None:
        return forge.create_comment(body) if is_needed else None
    if present.body.replace("\r\n", "\n").rstrip() == body.rstrip():
        return present
    return forge.update_comment(present, body)
