"""Who asks the worker gets an answer, and an answer stands beside what it is about."""

from pathlib import Path
from typing import Any

from .node import run

A: dict[str, Any] = {"findings": [], "isWhole": True}
WRONG: dict[str, Any] = {"findings": [{"path": "/query a", "message": "is wrong"}], "isWhole": True}
LATE = "it took longer than 6 seconds"


def judge_steps(folder: Path, task: str, *steps: list[Any]) -> dict[str, Any]:
    """Return the result of steps, each with its arguments."""
    answer: dict[str, Any] = run("judging.mjs", {"folder": str(folder), "task": task, "given": steps})
    return answer


def test_loading_takes_none_of_the_time(folder: Path) -> None:
    """The clock starts when the worker has all that it needs."""
    made = judge_steps(folder, "asks", ["ask", "a"], ["pass", 20], ["ready"], ["pass", 5], ["answer", A])

    assert made == {"answers": {"a": A}, "asked": [["a"]]}


def test_loading_that_does_not_end_is_given_up(folder: Path) -> None:
    """Whoever waits is told."""
    made = judge_steps(folder, "asks", ["ask", "a"], ["pass", 31])

    assert made["answers"] == {"a": {"failure": "it took longer than 30 seconds"}}


def test_what_waits_behind_something_without_an_end_is_answered(folder: Path) -> None:
    """By another worker; only what ran for too long has failed."""
    made = judge_steps(
        folder, "asks",
        ["ask", "a"], ["ask", "b"], ["ready"], ["pass", 5], ["ask", "c"], ["pass", 2],
        ["lateError"], ["ready"], ["answer", A], ["answer", WRONG],
    )  # fmt: skip

    assert made == {
        "answers": {"a": {"failure": LATE}, "b": A, "c": WRONG},
        "asked": [["a"], ["b", "c"]],
    }


def test_what_nobody_waits_for_is_not_asked(folder: Path) -> None:
    """Neither does it hold up what comes after it."""
    made = judge_steps(
        folder, "asks",
        ["ask", "a"], ["ask", "b"], ["ask", "c"], ["drop", "b"], ["answer", A], ["answer", WRONG],
    )  # fmt: skip

    assert made == {"answers": {"a": A, "b": {}, "c": WRONG}, "asked": [["a", "c"]]}


def test_worker_that_cannot_be_loaded_is_tried_again(folder: Path) -> None:
    """The next question may find the network back; a fault of one question is no fault of the worker."""
    made = judge_steps(
        folder, "asks",
        ["ask", "a"], ["error"], ["ask", "b"], ["fault", "away"], ["ask", "c"], ["answer", A], ["pass", 60],
    )  # fmt: skip

    assert made == {
        "answers": {
            "a": {"failure": "the checker could not be loaded"}, "b": {"failure": "away"}, "c": A,
        },
        "asked": [["a"], ["b", "c"]],
    }  # fmt: skip


def test_answer_about_an_older_value_is_not_shown(folder: Path) -> None:
    """Neither what it found nor that it failed; what is replaced before its turn is not checked at all."""
    made = judge_steps(
        folder, "fields",
        ["type", "A"], ["check"], ["ready"], ["type", "B"], ["check"], ["type", "C"], ["check"],
        ["answer", WRONG], ["answer", A],
        ["type", "D"], ["check"], ["ready"], ["type", "E"], ["pass", 7],
    )  # fmt: skip

    assert made["ever"] == [""]
    assert made["asked"] == [["A", "C", "D"]]
    assert made["checked"] == [{}, {}, {"wrong": 0, "rest": []}, {}]


def test_check_that_is_cut_short_is_told(folder: Path) -> None:
    """What was not looked at may be wrong; what was found is shown all the same."""
    made = judge_steps(folder, "fields", ["type", "A"], ["check"], ["answer", {**WRONG, "isWhole": False}])

    said = "Only part of the request was checked: it is too large or has too many errors."
    assert made["checked"] == [{"wrong": 1, "rest": [said]}]
    assert made["told"] == "is wrong"
