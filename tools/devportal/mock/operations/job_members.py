"""The members of jobs: what they hold before their work is done, and how each of their states changes them."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from devportal.contract import Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.values.name_words import words_of_name
from devportal.mock.http.representation import Representations

_STARTED = ("started_at", "start_time", "started", "started_on", "begin_time")
_DONE = ("finished_at", "completed_at", "ended_at", "end_time", "finish_time", "completion_time", "finished")
"""Names of members with the times at which a job started and ended."""
_RESULT_WORDS = frozenset({"result", "results", "output", "outputs", "download"})


def begun_members(
    members: Mapping[str, Any],
    shape: Mapping[str, Schema],
    representations: Representations,
    *,
    required: Collection[str],
    fixed: Collection[str],
) -> dict[str, Any]:
    """Return the members of a job that has not ended, but for the `fixed` ones: its result is null or left out, if the
    schema allows it.
    """
    begun = dict(members)
    for name in members:
        if name not in shape or name in fixed or not _is_result(name):
            continue
        if representations.is_valid(shape[name], None):
            begun[name] = None
        elif name not in required:
            del begun[name]
    return begun


def stepped_members(
    members: Mapping[str, Any],
    shape: Mapping[str, Schema],
    representations: Representations,
    *,
    is_done: bool,
    sample: Mapping[str, Any],
    time: Callable[[Schema], Any],
) -> Iterator[tuple[str, Any]]:
    """Yield the members that a new state of a job changes: the time of its start or its end, how much of it is done,
    and its result, which is that of the sample. `time` returns the time of the step in the form of a schema.
    """
    times = _DONE if is_done else _STARTED
    for name, schema in shape.items():
        if matches_any_name(name, times):
            yield name, time(schema)
        elif is_done and _is_progress(name) and type(members.get(name)) in (int, float):
            yield from ((name, whole) for whole in (1, 100) if representations.is_valid(schema, whole))
        elif is_done and _is_result(name) and name in sample and members.get(name) is None:
            yield name, sample[name]


def _is_result(name: str) -> bool:
    """Say whether a member of a job has what comes of it, by its name: `result_url`, `output`."""
    return bool(_RESULT_WORDS.intersection(words_of_name(name)))


def _is_progress(name: str) -> bool:
    """Say whether a member of a job has how much of it is done, in percent or as a part of one."""
    words = words_of_name(name)
    return words[:1] == ("progress",) or "percent" in words or "percentage" in words
