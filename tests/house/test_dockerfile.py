"""The Dockerfile keeps the rules of small, plain images. No test builds it."""

import json
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import pytest

from .repository import ROOT

ROOT_USERS = ("root", "0")
GOOD = """\
FROM python:3.12-slim AS build
COPY LICENSE ./
FROM python:3.12-slim
COPY --from=build /opt/it /opt/it
USER 10001:10001
ENTRYPOINT ["it"]
"""


def instructions(text: str) -> list[tuple[str, str]]:
    """Return each instruction of a Dockerfile with what follows it, continued lines as one."""
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n\s*", "", lines)
    parts = (line.split(maxsplit=1) for line in joined.splitlines() if line.strip())
    return [(name.upper(), rest) for name, rest in parts]


def problems(text: str, ignored: Iterable[str], root: Path) -> Iterator[str]:
    """Yield what breaks a rule in a Dockerfile whose context is a folder without what is ignored."""
    lines = instructions(text)
    yield from _image_problems([rest for name, rest in lines if name == "FROM"])
    for name, rest in lines:
        if name == "ADD" and "://" in rest:
            yield f"ADD reads an address: {rest}"
        if name in ("ADD", "COPY") and "--from=" not in rest:
            yield from _source_problems(rest, tuple(ignored), root)
    last_stage = lines[max(number for number, (name, _) in enumerate(lines) if name == "FROM") :]
    users = [rest for name, rest in last_stage if name == "USER"]
    if not users or users[-1].partition(":")[0] in ROOT_USERS:
        yield "the last USER is root"
    entries = [rest for name, rest in last_stage if name == "ENTRYPOINT"]
    if not entries or not _is_exec_form(entries[-1]):
        yield "ENTRYPOINT is not in exec form"


def _image_problems(sources: Iterable[str]) -> Iterator[str]:
    stages = set[str]()
    for source in sources:
        image, _, stage = re.sub(r" as ", " AS ", source, flags=re.IGNORECASE).partition(" AS ")
        name, _, tag = image.partition(":")
        if image not in stages and tag in ("", "latest"):
            yield f"{image} has no pinned tag"
        if "/" in image and re.search(r"[.:]|^localhost$", image.partition("/")[0]):
            yield f"{name} names a registry"
        stages.add(stage)


def _source_problems(rest: str, ignored: tuple[str, ...], root: Path) -> Iterator[str]:
    *sources, _ = (word for word in rest.split() if not word.startswith("--"))
    for source in sources:
        if "://" not in source and not (root / source).exists():
            yield f"{source} does not exist"
        elif is_ignored(source, ignored):
            yield f"{source} is ignored"


def is_ignored(path: str, patterns: Iterable[str]) -> bool:
    """Say whether .dockerignore leaves a path out of the context: the last pattern that fits decides."""
    names = [str(path_or_parent) for path_or_parent in (PurePosixPath(path), *PurePosixPath(path).parents)]
    ignored = False
    for pattern in patterns:
        glob = pattern.removeprefix("!")
        anywhere = glob.removeprefix("**/")  # without these stars a pattern begins at the context
        if any(fnmatch(name, glob) or (anywhere != glob and fnmatch(name, anywhere)) for name in names):
            ignored = not pattern.startswith("!")
    return ignored


def _is_exec_form(text: str) -> bool:
    try:
        words = json.loads(text)
    except json.JSONDecodeError:
        return False
    return isinstance(words, list) and all(isinstance(word, str) for word in words)


def ignore_patterns() -> list[str]:
    """Return the patterns of .dockerignore."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_the_dockerfile_keeps_the_rules() -> None:
    """Pinned images, sources that are there, a user that is not root, an entry point in exec form."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")

    assert list(problems(text, ignore_patterns(), ROOT)) == []
    assert {rest.partition(" ")[0] for name, rest in instructions(text) if name == "FROM"} == {
        "python:3.12-slim"
    }
    assert ("ENTRYPOINT", '["devportal"]') in instructions(text)


def test_the_last_stage_holds_no_source() -> None:
    """It takes from the stage that builds, and not from the context."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = instructions(text)
    stages = [number for number, (name, _) in enumerate(lines) if name == "FROM"]
    copied = [rest for name, rest in lines[stages[-1] :] if name in ("ADD", "COPY")]

    assert len(stages) == 2
    assert copied
    assert [rest for rest in copied if "--from=build " not in rest] == []


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        ("tools/devportal/cli.py", False),
        ("tools/devportal/__pycache__/cli.pyc", True),
        (".git/config", True),
        (".venv/bin/python", True),
        ("data/rates.yaml", True),
    ],
)
def test_only_what_is_copied_is_sent(path: str, *, ignored: bool) -> None:
    """History, records and virtual environments never reach the builder."""
    assert is_ignored(path, ignore_patterns()) == ignored


def test_the_image_installs_the_versions_of_the_lock() -> None:
    """The expression that makes constraints of the lock takes every package, without its hashes."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    (expression,) = re.findall(r"sed --quiet --regexp-extended 's/(.+)\.\*/\\1/p' requirements\.lock", text)
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    constraints = [found[1] for line in lock.splitlines() if (found := re.match(expression, line))]

    assert len(constraints) == len(re.findall(r"^[a-z0-9]\S*==", lock, re.MULTILINE))
    assert all(re.fullmatch(r"[a-z0-9._-]+==[\w.+!]+", constraint) for constraint in constraints)


def test_a_good_dockerfile_has_no_problems() -> None:
    """The base of the bad ones below."""
    assert list(problems(GOOD, (), ROOT)) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("FROM python:3.12-slim\n", "FROM python\n", "python has no pinned tag"),
        ("FROM python:3.12-slim\n", "FROM python:latest\n", "python:latest has no pinned tag"),
        ("FROM python:3.12-slim\n", "FROM r.example/python:3.12\n", "r.example/python names a registry"),
        ("USER 10001:10001\n", "", "the last USER is root"),
        ("USER 10001:10001\n", "USER it\nUSER root\n", "the last USER is root"),
        ("USER 10001:10001\n", "USER 0:0\n", "the last USER is root"),
        ('ENTRYPOINT ["it"]', "ENTRYPOINT it", "ENTRYPOINT is not in exec form"),
        ('ENTRYPOINT ["it"]', "", "ENTRYPOINT is not in exec form"),
        ("COPY LICENSE", "COPY LICENCE", "LICENCE does not exist"),
        ("COPY LICENSE", "COPY \\\n  README.md LICENSE", "README.md is ignored"),
        ("COPY LICENSE", "ADD https://a.example/x", "ADD reads an address: https://a.example/x ./"),
    ],
)
def test_a_broken_rule_is_found(old: str, new: str, problem: str) -> None:
    """Each rule can fail."""
    text = GOOD.replace(old, new)

    assert text != GOOD
    assert list(problems(text, ("README.md",), ROOT)) == [problem]
