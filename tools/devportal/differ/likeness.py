"""How alike two forms are: what tells the branches of a union apart, and which is another's former self."""

from collections.abc import Hashable

from devportal.differ.forms import Form


def titled(form: Form) -> str:
    """Return the title of a schema."""
    return form.schema.title


def core(form: Form) -> Hashable:
    """Return type, values and the names of properties: what a schema describes, without its limits."""
    return (
        form.types,
        tuple(map(str, form.values)) if form.values is not None else None,
        frozenset(form.members),
    )


def shape(form: Form) -> Hashable:
    """Return what mostly tells branches apart: the core, the format, and what is required."""
    return (
        core(form),
        form.format,
        frozenset(name for name, one in form.members.items() if one.is_required),
    )


def limits(form: Form) -> Hashable:
    """Return what limits numbers, texts and lists."""
    return (
        *(form.lower, form.upper, form.multiple_of),
        *(form.min_length, form.max_length, form.patterns),
        *(form.min_items, form.max_items, form.is_closed),
    )


ALIKE = 0.6
"""The share of properties that two objects have in common for one to be the other's former self."""


def likeness(one: Form, other: Form) -> float:
    """Return which share of their properties two objects have in common."""
    both = one.members.keys() & other.members.keys()
    return len(both) / max(len(one.members), len(other.members), 1)
