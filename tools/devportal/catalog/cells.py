"""Cells of CSV files: what a spreadsheet would take for a formula gets a guard, which can be taken off."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""With these a spreadsheet takes text for a formula (OWASP, CSV Injection)."""


def guard_formula(text: str) -> str:
    """Return text as a cell: a `'` goes before what a spreadsheet would take for a formula.

    Text that looks guarded gets another `'`, so that `unguard_formula` gives back every text as it was.
    """
    return f"'{text}" if _needs_guard(text) else text


def unguard_formula(cell: str) -> str:
    """Return the text of which `guard_formula` made a cell."""
    return cell[1:] if cell.startswith("'") and _needs_guard(cell[1:]) else cell


def _needs_guard(text: str) -> bool:
    unquoted = text.lstrip("'")
    return unquoted.startswith(_FORMULA_STARTS) or unquoted.lstrip().startswith(_FORMULA_STARTS)
