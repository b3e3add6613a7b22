"""The reference of commands: as `--help` has it, told once."""

from collections.abc import Callable

import click
import pytest

from devportal.manual.commands import _RootContext, command, command_at, command_path, commands, every_command
from devportal.markup.page import InsertProblem

from .test_rules import EMPTY


@pytest.fixture
def tree(monkeypatch: pytest.MonkeyPatch) -> click.Group:
    """Return a small group of commands in place of ours."""
    made = click.Group("devportal")
    context = _RootContext(made, info_name="devportal")
    monkeypatch.setattr("devportal.manual.commands.root_context", lambda: context)
    return made


def command_text(*words: str) -> str:
    shown = command(EMPTY, words)
    assert isinstance(shown, str)
    return shown


def add_command(group: click.Group, name: str, *parameters: Callable[[click.Command], click.Command]) -> None:
    """Add a command with parameters to a group."""
    made = click.Command(name, callback=lambda **_: None, help="Do it.\n\nWith care.")
    for parameter in parameters:
        parameter(made)
    group.add_command(made)


def option(*names: str, **settings: object) -> Callable[[click.Command], click.Command]:
    """Return what gives a command an option."""

    def add(to: click.Command) -> click.Command:
        to.params.append(click.Option(list(names), **settings))  # type: ignore[arg-type]
        return to

    return add


def test_an_option_is_told_with_all_that_help_says(tree: click.Group) -> None:
    """Its value, words with code, choices, bounds, default and variable."""
    add_command(
        tree,
        "send",
        option("--to", "-t", metavar="NAME", required=True, help="Who gets it, as for --cc; 'a@b' too."),
        option("--how", type=click.Choice(["air", "sea"]), default="sea", show_default=True, help="The way."),
        option("--days", type=click.IntRange(1, 9), envvar="DAYS", help="How long, in {days}"),
    )

    shown = command_text("send")

    assert "```text\ndevportal send [OPTIONS]\n```" in shown
    assert (
        "[`--to, -t NAME`](#send--to){ #send--to .dp-term }\n"
        ":   Who gets it, as for `--cc`; `a@b` too.\n"
        '    <span class="dp-muted">Has to be given.</span>\n'
    ) in shown
    assert ">One of `air`, `sea`. Default: `sea`.<" in shown
    assert ":   How long, in \\{days\\}.\n" in shown
    assert ">From 1 to 9. Also from the environment: `DAYS`.<" in shown


def test_an_option_that_is_hidden_is_not_told(tree: click.Group) -> None:
    """It is not for everybody."""
    add_command(tree, "send", option("--trace", is_flag=True, hidden=True), option("--log", is_flag=True))

    assert "--trace" not in command_text("send")
    assert "[`--log`]" in command_text("send")


def test_commands_below_follow_and_groups_have_inserts_of_their_own(tree: click.Group) -> None:
    """Each under a heading one level further down, with its whole help."""
    post, keys = click.Group("post"), click.Group("keys")
    tree.add_command(post)
    post.add_command(keys)
    add_command(post, "letter")
    add_command(keys, "new")

    assert "\n### post letter { #post-letter }\n\nDo it.\n\nWith care." in command_text("post")
    assert "keys" not in command_text("post")
    assert "\n#### post keys new { #post-keys-new }\n" in command_text("post keys")


def test_commands_that_are_alike_are_told_together(tree: click.Group) -> None:
    """Both calls, each option once, and whose it is where only one has it."""
    for name, own in (("rates", "--product"), ("coverage", "--channel")):
        group = click.Group(name)
        tree.add_command(group)
        add_command(group, "list", option("--state", help="Which."), option(own, help="What."))

    shown = command_text("rates", "coverage")

    assert "### rates list, coverage list { #rates-list }" in shown
    assert "devportal rates list [OPTIONS]\ndevportal coverage list [OPTIONS]" in shown
    assert shown.count("[`--state TEXT`]") == 1
    assert ">Of `coverage` only.<" in shown


@pytest.mark.parametrize(
    ("words", "message", "help_"),
    [
        (("biuld",), "there is no command 'biuld'", "did you mean 'build'?"),
        (("rates publish",), "there is no command 'rates publish'", "did you mean"),
        (("x",), "there is no command 'x'", "one of 'accept', "),
        ((), "this insert is written 'command NAME'", "one of 'accept', "),
        (("",), "there is no command ''", "one of 'accept', "),
    ],
)
def test_a_command_that_is_not_there(words: tuple[str, ...], message: str, help_: str) -> None:
    """The answer says which there are, or which was meant."""
    wrong = command(EMPTY, words)

    assert isinstance(wrong, InsertProblem)
    assert wrong.message == message
    assert wrong.help.startswith(help_)


def test_the_list_has_every_command_that_is_called_by_itself() -> None:
    """With its summary, and a link to its section; it takes no arguments."""
    shown = commands(EMPTY, ())

    assert isinstance(shown, str)
    names = [command_path(context)[0] for context in every_command() if len(command_path(context)) == 1]
    assert [line.split("`")[1] for line in shown.splitlines()] == [f"devportal {name}" for name in names]
    assert isinstance(commands(EMPTY, ("build",)), InsertProblem)


def test_every_command_of_ours_says_what_it_and_its_options_are_for() -> None:
    """No option or argument without a word, so that no row of the reference is empty."""
    silent = [
        (context.command_path, parameter.name)
        for context in every_command()
        for parameter in context.command.params
        if not parameter.help
    ]

    assert silent == []
    assert all(context.command.help for context in every_command())


def test_ways_down_are_known_without_arguments_between() -> None:
    """`conformance URL merge` is called `conformance merge`."""
    found = command_at(("conformance", "merge"))

    assert found is not None
    assert command_path(found) == ("conformance", "merge")
    assert command_at(("conformance", "nothing")) is None
