"""Names of commands and options of other tools, and what does the same here: advice for those who type them.

The page "From another tool" of the manual explains more.
"""

from collections.abc import Mapping

_COMMANDS: Mapping[str, str] = {
    **dict.fromkeys(("lint", "validate", "openapi-check", "score"), "check"),
    **dict.fromkeys(("build-docs", "bundle", "deploy", "html", "render", "upload"), "build"),
    **dict.fromkeys(("breaking", "compare", "delta", "summary"), "diff"),
    **dict.fromkeys(("dev", "preview", "preview-docs", "start"), "serve"),
    **dict.fromkeys(("proxy", "run", "test", "st"), "conformance"),
    **dict.fromkeys(("broken-links", "check-links"), "links"),
    **dict.fromkeys(("create", "new", "migrate"), "init"),
    "stub": "mock",
}
"""Commands of Redocly, Spectral, Mintlify, Bump.sh, ReadMe, oasdiff, openapi-diff, Prism and Schemathesis."""

_FILES_TO_COMPARE = "OLD and NEW are arguments: devportal diff OLD NEW"
_URL_TO_TEST = "the URL is an argument: devportal conformance URL"
_CREDENTIALS = "credentials are in DEVPORTAL_TOKEN, or in the settings file of --settings"
_PHASES = "--profile chooses how much is tested: quick, nightly"
_RULES = "the rules are fixed: for rules of style, such as how names are written, keep your linter"
_POLICY = "--policy names a file with accepted changes and levels of rules"

_OPTIONS: Mapping[str, Mapping[str, str]] = {
    "build": dict.fromkeys(("-o", "--output", "--out"), "did you mean '--site-dir'?"),
    "check": {
        **dict.fromkeys(("-r", "--ruleset", "--extends", "--config"), _RULES),
        **dict.fromkeys(("--generate-ignore-file", "--ignore-file"), "did you mean '--update-baseline'?"),
        "-o": "did you mean '--output'?",
    },
    "conformance": {
        **dict.fromkeys(("-u", "--url", "-b", "--base-url"), _URL_TO_TEST),
        **dict.fromkeys(("-H", "--header", "-a", "--auth"), _CREDENTIALS),
        **dict.fromkeys(
            ("-c", "--checks", "--phases", "-n", "--max-examples", "--hypothesis-phases"), _PHASES
        ),
        **dict.fromkeys(("--request-timeout", "--max-response-time"), "did you mean '--timeout'?"),
        **dict.fromkeys(("--report", "--report-junit-path", "--junit-xml"), "did you mean '--junit'?"),
        **dict.fromkeys(
            ("--include-path", "--include-tag", "--include-operation-id"), "did you mean '--include'?"
        ),
        **dict.fromkeys(
            ("--exclude-path", "--exclude-tag", "--exclude-operation-id"), "did you mean '--exclude'?"
        ),
        **dict.fromkeys(("--request-proxy", "--upstream"), "did you mean '--proxy'?"),
        "--config-file": "did you mean '--settings'?",
        **dict.fromkeys(("--generation-seed", "--hypothesis-seed"), "did you mean '--seed'?"),
        **dict.fromkeys(("-s", "--spec", "--schema"), "did you mean '--contract'?"),
    },
    "diff": {
        **dict.fromkeys(("--err-ignore", "--warn-ignore", "--severity-levels", "--lang"), _POLICY),
        **dict.fromkeys(("--base", "--revision", "--from", "--to"), _FILES_TO_COMPARE),
        "-f": "did you mean '--format'?",
        "-o": "did you mean '--fail-on' or '--output'?",
    },
    "init": dict.fromkeys(("--spec", "--openapi", "--api"), "did you mean '--contract'?"),
    "mock": {
        **dict.fromkeys(
            ("-d", "--dynamic"), "values are those of what was created, else of examples and schemas"
        ),
        **dict.fromkeys(
            ("--errors", "--cors"), "invalid requests get the documented error, and CORS is always on"
        ),
        "-p": "did you mean '--port'?",
    },
    "serve": {"-p": "did you mean '--port'?"},
}
"""Advice for options that a command does not have, by its name and theirs."""


def same_command(name: str) -> str:
    """Return the command that does what a command of another tool does; empty if there is none."""
    return _COMMANDS.get(name.casefold(), "")


def option_advice(command: str, option: str) -> str:
    """Return advice for an option that a command does not have, as a sentence; empty if there is none."""
    advice = _OPTIONS.get(command, {}).get(option, "")
    return f"{advice[0].upper()}{advice[1:]}{'' if advice.endswith('?') else '.'}" if advice else ""
