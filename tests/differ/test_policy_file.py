"""Policies as people write them: what is wrong in one is told, each thing with its place."""

import pytest

from devportal.differ import Policy
from devportal.differ.policy_file import parse_policy
from devportal.documents import parse_document


def policy_messages(text: str) -> list[str]:
    """Return the messages on a policy, as they are printed."""
    policy, findings = parse_policy(parse_document(text, name="policy.yaml"))
    assert policy == Policy()
    return [str(finding) for finding in findings]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        (
            "8394b7fffd7fe7d",
            "copy it from the output of `devportal diff`, where it follows the rule of each change",
        ),
        ("8394b7fffd7fe7ddd", "copy it from"),
        ("8394b7fffd7fe7dg", "copy it from"),
        ("operation.removed", "copy it from"),
        ("8394B7FFFD7FE7DD", "write '8394b7fffd7fe7dd'"),
    ],
)
def test_malformed_fingerprint_is_told_with_its_place(name: str, advice: str) -> None:
    """What it has to look like, and what was meant where that can be seen."""
    (told,) = policy_messages(f"acknowledged:\n  {name}: {{reason: Agreed., date: 2026-11-02}}\n")

    assert told.startswith(
        f"policy.yaml:2:3: error: {name!r} is not a fingerprint: one has 16 digits of 0 to 9 and a to f "
    )
    assert f"\n  help: {advice}" in told


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("operation.id.chnged", "did you mean 'operation.id.changed'?"),
        ("no-such-thing", "`devportal diff --rules` lists them"),
    ],
)
def test_misspelt_rule_suggests_the_one_that_is_meant(name: str, advice: str) -> None:
    """There are hundreds of rules."""
    (message,) = policy_messages(f"rules:\n  {name}: risky\n")

    assert message.endswith(f"\n  help: {advice}")


def test_every_wrong_name_is_told() -> None:
    """Rules and fingerprints, next to what does not fit the schema."""
    told = policy_messages(
        "rules: {no.rule: off}\nacknowledged:\n  x: {reason: Agreed., date: soon}\n  y: 1\n"
    )

    assert [text.split(" error: ")[1][:9] for text in told] == [
        "'no.rule'",
        "'x' is no",
        "`acknowle",
        "'y' is no",
        "`acknowle",
    ]


@pytest.mark.parametrize("knob", ["rules", "acknowledged"])
def test_list_where_names_are_wanted(knob: str) -> None:
    """Is told as what it is."""
    (told,) = policy_messages(f"{knob}: [a]\n")

    assert "not a mapping" in told


@pytest.mark.parametrize(
    "name", ["1234567890123456", "0123456701234567", "1e12345678901234", "8394b7fffd7fe7dd"]
)
def test_fingerprint_needs_no_quotes(name: str) -> None:
    """Not even where YAML sees a number."""
    text = f"acknowledged:\n  {name}: {{reason: Agreed., date: 2026-11-02}}\n"
    policy, findings = parse_policy(parse_document(text, name="policy.yaml"))

    assert findings == ()
    assert [*policy.acknowledged] == [name]
