"""A guide that is wrong is found out, at the line where it is wrong."""

from pathlib import Path

import pytest

from .walk import NotAsWritten, walk

SEND = """\
```bash
curl http://127.0.0.1:8080/v1/messages \\
  --header "Authorization: Bearer $API_KEY" \\
  --json '{"to": "+12025550123", "channel": "sms", "body": "Hello"}'
```
"""


def test_what_a_page_shows_is_compared_with_what_comes(tmp_path: Path) -> None:
    """Output that the sandbox does not give fails, and the message has all that is needed."""
    page = f'{SEND}\n```json\n{{"id": "msg_…", "status": "delivered", "segments": 1}}\n```\n'

    with pytest.raises(NotAsWritten) as wrong:
        walk("guide.md", page, tmp_path, prints_within_s=1)

    assert str(wrong.value).startswith("guide.md:8: this was not printed:")
    assert "the commands (line 2):\ncurl http://127.0.0.1:8080/v1/messages" in str(wrong.value)
    assert '"status": "queued"' in str(wrong.value)


def test_a_command_that_fails_is_told_with_its_line(tmp_path: Path) -> None:
    """Not only the last command of a block counts."""
    page = "```bash\ntrue\nls missing\ntrue\n```\n"

    with pytest.raises(NotAsWritten, match=r"^guide\.md:3: the command ended with status 2: ls missing"):
        walk("guide.md", page, tmp_path)


def test_commands_that_do_not_end_are_told(tmp_path: Path) -> None:
    """A guide cannot hold the tests up for ever."""
    with pytest.raises(NotAsWritten, match=r"^guide\.md:2: the commands did not end within 1 s"):
        walk("guide.md", "```bash\nsleep 3600\n```\n", tmp_path, patience_s=1)


def test_one_shell_takes_all_steps(tmp_path: Path) -> None:
    """Variables, folders and files of a step are there in the next."""
    page = (
        "```bash\nexport GREETING=hello\nmkdir inside && cd inside\n```\n"
        '```text title="name.txt"\nAda\n```\n'
        '```bash\necho "$GREETING $(cat ../name.txt) in $(basename "$PWD")"\n```\n'
        "```text\nhello Ada in inside\n```\n"
    )

    walk("guide.md", page, tmp_path)


def test_what_was_printed_is_copied_into_an_export(tmp_path: Path) -> None:
    """The newest identifier of that form, as a reader copies it from the terminal."""
    page = (
        "```bash\necho msg_1\necho msg_2\n```\n"
        "```bash\nexport ID='msg_…'\necho \"$ID!\"\n```\n```text\nmsg_2!\n```\n"
    )

    walk("guide.md", page, tmp_path)


def test_the_sandbox_runs_with_the_options_of_the_guide(tmp_path: Path) -> None:
    """The guide's own command decides; a second one takes the place of the first."""
    page = (
        "```bash\n.venv/bin/devportal sandbox \\\n  --token sk_number_one=messages:write\n```\n"
        "```text\nToken:    as configured  (scopes: messages:write)\n```\n"
        "```bash\n.venv/bin/devportal sandbox --token sk_number_two=messages:write\n```\n"
        f"```bash\nexport API_KEY=sk_number_one\n```\n{SEND.replace('curl', 'curl --include')}"
        "```http\nHTTP/1.1 401 Unauthorized\n```\n"
        f"```bash\nexport API_KEY=sk_number_two\n```\n{SEND.replace('curl', 'curl --include')}"
        "```http\nHTTP/1.1 202 Accepted\n```\n"
    )

    walk("guide.md", page, tmp_path)


def test_a_sandbox_that_cannot_start_is_told(tmp_path: Path) -> None:
    """With what it complained about."""
    page = "```bash\n.venv/bin/devportal sandbox --no-such-option\n```\n"

    with pytest.raises(NotAsWritten, match=r"(?s)guide.md:2: the sandbox does not start.*no-such-option"):
        walk("guide.md", page, tmp_path)
