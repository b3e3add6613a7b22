"""How the texts of two patterns are related."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.differ.patterns.pattern_relations import (
    PatternRelation,
    matches_every_filled_text,
    matches_every_text,
    pattern_relation,
)


@pytest.mark.parametrize("pattern", ["", "^", "$", ".*", "^.*$", "^(.*)$", "[\\s\\S]*", "^[^]*$", ".*?"])
def test_a_pattern_that_every_text_matches_is_trivial(pattern: str) -> None:
    """What every text matches says nothing."""
    assert matches_every_text(pattern)


@pytest.mark.parametrize("pattern", ["^$", ".", ".+", "^.+$", "^a*$", "\\.*x", "[a-z]*b"])
def test_a_pattern_that_some_text_does_not_match_is_not_trivial(pattern: str) -> None:
    """A pattern that asks for something is none that says nothing."""
    assert not matches_every_text(pattern)


@pytest.mark.parametrize("pattern", [".+", "^.+$", "^(.+)$", "[\\s\\S]+", "^.+?$"])
def test_a_pattern_that_only_the_empty_text_does_not_match_is_known(pattern: str) -> None:
    """It is trivial where no text is empty."""
    assert matches_every_filled_text(pattern)


@pytest.mark.parametrize("pattern", ["\\.+", ".\\+", "^[a-z]+$", "^.+-.+$", "^$"])
def test_a_pattern_that_asks_for_more_than_a_filled_text_is_not_trivial(pattern: str) -> None:
    """One that asks for a letter, or for a literal plus, says something."""
    assert not matches_every_filled_text(pattern)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("^[a-z]+$", "^[a-z0-9]+$"),
        ("^[A-Z]{3}$", "^[A-Z]{2,4}$"),
        ("^(a|b)$", "^(a|b|c)$"),
        ("^(AB|CD)$", "^[A-Z]{2}$"),
        ("^a", "a"),
        ("^msg_[0-9a-f]{24}$", "^(msg|evt)_[0-9a-f]{24}$"),
        ("^\\+[1-9]\\d{1,14}$", "^\\+?[1-9]\\d{1,14}$"),
        ("^a|b$", "^a|b$|c"),
        ("^a?$", "^a*$"),
        ("^[a-z0-9_]{1,255}$", "[a-z0-9_]{1,255}"),
        (
            "^s3://([a-z0-9][a-z0-9-.]{1,61}[a-z0-9])/(.{1,1024})$",
            "s3://([a-z0-9][a-z0-9-.]{1,61}[a-z0-9])/(.{1,1024})",
        ),
        ("^([a-z]{1}[a-z0-9_]{2,254})$", "([a-z]{1}[a-z0-9_]{2,254})"),
        ("^(?=.*[a-z])(?=.*\\d).{8,}$", "^(?=.*[a-z]).{8,}$"),
        ("^(?!-)[a-z-]+$", "^[a-z-]+$"),
        ("^[a-z-]+(?<!-)$", "^[a-z-]+$"),
        ("^(?!.*--)[a-z-]+$", "^(?!-.*--)[a-z-]+$"),
        ("a(?=b)", "a"),
        ("\\bfoo\\b", "foo"),
        ("^\\bfoo\\b", "^foo"),
        ("\\bfoo\\b", "\\b(?:foo|bar)\\b"),
        ("^(?:(?!b)\\w+|bar)$", "^\\w+$"),
        ("^[a-z]+$", "^\\p{Ll}+$"),
        ("^\\p{Lu}$", "^\\p{L}$"),
        ("^\\p{L}+$", "^[\\p{L}\\p{Nd}_-]+$"),
        ("^[^\\p{L}\\p{N}]$", "^\\P{L}$"),
        ("^\\d$", "^\\p{gc=Nd}$"),
        ("1024|2048|(1|2) vCPU", "256|512|1024|2048|4096|(0.25|0.5|1|2|4) vCPU"),
        (
            "^arn:aws[^\\s:]*:elastic-inference:[^\\s:]+:\\d{12}:accelerator/eia-[0-9a-f]+$",
            "^arn:aws\\S*:elastic-inference:\\S+:\\d{12}:accelerator/eia-[0-9a-f]+$",
        ),
    ],
)
def test_more_texts_are_shown_to_match(old: str, new: str) -> None:
    """A pattern that matches more is wider, and the other one narrower."""
    assert pattern_relation(old, new) is PatternRelation.WIDER
    assert pattern_relation(new, old) is PatternRelation.NARROWER


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("^\\d+$", "^[0-9]+$"),
        ("(a*)*b", "(a|a)*b"),
        ("^(?:ab)$", "^ab$"),
        ("^aa*$", "^a+$"),
        ("a", "(a)"),
        ("^b|a$", "a$|^b"),
        ("[a-z]{1,64}", "[a-z]"),
        ("^(?=.*[a-z])(?=.*\\d).{8,}$", "^((?=.*\\d)(?=.*[a-z]).{8,})$"),
        ("^(?!-)[a-z-]+(?<!-)$", "^[a-z]([a-z-]*[a-z])?$"),
        ("^(?!root$)(ab|root)$", "^ab$"),
        ("(?<=a)b", "ab"),
        ("^foo\\b", "^foo(?!\\w)"),
        ("foo\\B", "foo\\w"),
        ("-\\Ba", "(?=b)a"),
        ("\\B\\b", "(?=b)a"),
        ("a(?!c)\\b", "a\\b(?!c)"),
        ("^(\\ba|b)", "^[ab]"),
        ("^(a|(?=b))", "^[ab]"),
        ("^\\p{Letter}$", "^\\p{L}$"),
        ("^\\P{L}$", "^[^\\p{L}]$"),
        ("^\\p{LC}$", "^[\\p{Lu}\\p{Ll}\\p{Lt}]$"),
        ("^\\p{ASCII}$", "^[\\x00-\\x7f]$"),
        ("a(?!$)", "a[\\s\\S]"),
        ("a(bc?)*", "a"),
        ("arn:([^: ]*):([^: ]*):([0-9]{12}):([^: ]*)", ".*arn:([^: ]*):([^: ]*):([0-9]{12}):([^: ]*).*"),
    ],
)
def test_two_spellings_of_one_pattern_are_the_same(old: str, new: str) -> None:
    """What matches the same texts is the same, however it is written."""
    assert pattern_relation(old, new) is PatternRelation.SAME


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("\\d", "[0-9]"),
        ("\\D", "[^0-9]"),
        ("\\w", "[A-Za-z0-9_]"),
        ("\\W", "[^A-Za-z0-9_]"),
        ("\\s", "[\\t-\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]"),
        (".", "[^\\n\\r\\u2028\\u2029]"),
    ],
)
def test_a_class_holds_the_characters_that_it_has_in_ecma_262(short: str, long: str) -> None:
    """Each class is the list of its characters (ECMA 262 §22.2.2.7, §22.2.2.9), no more and no less."""
    assert pattern_relation(f"^{short}$", f"^{long}$") is PatternRelation.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("^[a-m]+$", "^[h-z]+$"),
        ("^((?!ab).)*$", "^[^b]*$"),
        ("^(?=.*(?=a))b{2}$", "^c$"),
        ("^a(?=^a)", "^c$"),
        ("a$(?=b)", "^c$"),
        ("^(?=a$$)", "^c$"),
        ("^a(?=b)b?(?<=ab)$", "^c$"),
        ("(a)\\1", "aa"),
        ("^\\p{Script=Nowhere}+$", "^[A-Za-z]+$"),
        ("^\\p{Lx}$", "^[A-Za-z]$"),
        ("(", "a"),
        ("(\\ba)+", "a"),
        ("\\ba(?=\\ba)", "a"),
        ("(^a)+", "^a"),
        ("(?i)a", "a"),
        ("(?i:a)", "a"),
        ("a", "$^"),
        ("a", "((a|$)^)"),
        ("(?-i:a)", "a"),
    ],
)
def test_what_cannot_be_shown_is_unknown(old: str, new: str) -> None:
    """Neither of two overlapping patterns is wider; what is not regular, or no pattern at all, is open."""
    assert pattern_relation(old, new) is PatternRelation.UNKNOWN


@pytest.mark.parametrize(
    ("old", "new", "relation"),
    [
        ("^\\p{Script=Greek}$", "^[\\p{sc=Grek}a]$", PatternRelation.WIDER),
        ("^\\p{Script=Greek}+$", "^[α-ω]+$", PatternRelation.NARROWER),
        ("^\\p{Script=Greek}+$", "^\\P{Script=Greek}+$", PatternRelation.DISJOINT),
    ],
)
def test_scripts_have_the_characters_that_validators_find(
    old: str, new: str, relation: PatternRelation
) -> None:
    """Python does not know the scripts of Unicode."""
    assert pattern_relation(old, new) is relation


def test_a_pattern_that_takes_too_long_is_unknown() -> None:
    """A proof has a budget: repetitions of repetitions end it."""
    assert pattern_relation("((((a{1,9}){1,9}){1,9}){1,9}b)", "((a{1,7}){1,9}c)") is PatternRelation.UNKNOWN


_PIECES = st.sampled_from(
    (
        "a",
        "b",
        "[ab]",
        "[^a]",
        ".",
        "a?",
        "b*",
        "(a|bc)",
        "c{1,2}",
        "\\d",
        "^",
        "$",
        "(?=.*b)",
        "(?!a)",
        "(?=a|bc)",
        "(?!.*c$)",
        "(?<!b)",
        "(?<=a)",
        "\\b",
        "(a|\\b)",
    )
)


@given(st.lists(_PIECES, max_size=4), st.lists(_PIECES, max_size=4), st.text("abc1\n", max_size=5))
def test_what_is_shown_holds_for_each_text(old: list[str], new: list[str], text: str) -> None:
    """No text matches the old pattern and not the new one where the new one is shown to be wider."""
    one, other = "".join(old), "".join(new)
    matches_old, matches_new = (
        re.search(_python_pattern(pattern), text) is not None for pattern in (one, other)
    )
    shown = pattern_relation(one, other)

    assert not (shown in (PatternRelation.WIDER, PatternRelation.SAME) and matches_old and not matches_new)
    assert not (shown in (PatternRelation.NARROWER, PatternRelation.SAME) and matches_new and not matches_old)


def _python_pattern(pattern: str) -> str:
    """Return a pattern for Python, whose `$` also stands before a line break at the end."""
    return pattern.replace("$", r"\Z")
