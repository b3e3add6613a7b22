"""Guides are read whole: each block becomes a step, or is told with its line."""

import pytest

from .guide import Run, Save, Show, Skip, WrongGuide, read_guide
from .shown import Form


def test_each_block_is_a_step() -> None:
    """Files, commands and output are told apart, with the line of their first line."""
    page = "\n".join(
        [
            "# Guide",
            '```python title="hello.py"',
            'print("hello")',
            "```",
            "Then:",
            "```bash",
            "python3 hello.py",
            "```",
            "```text",
            "hello",
            "```",
        ]
    )

    assert read_guide(page) == (
        Save(line=3, name="hello.py", text='print("hello")\n'),
        Run(line=7, commands="python3 hello.py\n"),
        Show(line=10, form=Form.TEXT, text="hello\n"),
    )


def test_a_block_in_a_tab_is_read_without_its_indent() -> None:
    """Tabs indent what they hold; a program must not be."""
    page = '=== "Shell"\n\n    ```bash\n    if true; then\n      echo yes\n    fi\n    ```\n'

    assert read_guide(page) == (Run(line=4, commands="if true; then\n  echo yes\nfi\n"),)


def test_a_comment_says_why_a_block_is_not_run() -> None:
    """The block right below it is skipped, and none after."""
    page = "<!-- not run: needs a contract -->\n\n```bash\ncurl https://api.example.com\n```\n```bash\ntrue\n```\n"

    assert read_guide(page) == (
        Skip(line=4, reason="needs a contract", text="curl https://api.example.com\n"),
        Run(line=7, commands="true\n"),
    )


def test_a_title_that_is_no_file_name_is_a_caption() -> None:
    """Commands may have a caption and are still run."""
    (step,) = read_guide('```bash title="Request"\ntrue\n```\n')

    assert isinstance(step, Run)


def test_a_caption_says_that_lines_may_change_places() -> None:
    """Events can overtake each other; the reader is told, and the walk knows."""
    page = '```bash\ntrue\n```\n```text title="In any order"\none\ntwo\n```\n'

    assert read_guide(page)[1] == Show(line=5, form=Form.LINES, text="one\ntwo\n")


@pytest.mark.parametrize(
    ("command", "starts"),
    [
        ("make serve WEBHOOK_URL=http://127.0.0.1:9000/", True),
        (".venv/bin/devportal sandbox --rate-limit 3", True),
        ("DEVPORTAL_SANDBOX_TOKEN=sk_1 .venv/bin/devportal sandbox", True),
        ("make test", False),
        (".venv/bin/devportal sandbox token list", False),
        (".venv/bin/devportal sandbox certificate authority", False),
        ("echo devportal sandbox", False),
    ],
)
def test_the_command_that_starts_the_sandbox_is_known(command: str, *, starts: bool) -> None:
    """It is not run as it stands, because it does not end."""
    assert Run(line=1, commands=command).starts_sandbox is starts


def test_a_file_may_be_used_by_another_file() -> None:
    """A module that is imported need not be named by a command."""
    page = (
        '```python title="a.py"\n1\n```\n```python title="b.py"\nimport a\n```\n```bash\npython3 b.py\n```\n'
    )

    assert [step.name for step in read_guide(page) if isinstance(step, Save)] == ["a.py", "b.py"]


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("```python\nprint(1)\n```\n", "line 1: nobody runs this block of python"),
        ("\n```\nhm\n```\n", "line 2: nobody runs this block of no language"),
        ("```bash\ntrue\n", "line 1: this block has no end"),
        ('```python title="a.py"\n1\n```\n', "line 2: nothing uses the file 'a.py'"),
        ("```json\n{}\n```\n", "line 1: nothing before this block prints anything"),
    ],
)
def test_a_block_that_nobody_can_follow_is_told(page: str, message: str) -> None:
    """The message has the line and what is wrong."""
    with pytest.raises(WrongGuide, match=message):
        read_guide(page)
