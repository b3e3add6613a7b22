"""Cells of CSV files: a reversible guard for text that a spreadsheet would take for a formula."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Characters that start a formula in a spreadsheet (OWASP, CSV Injection)."""


def guard_formula(text: str) -> str:
    """Return text as a cell, with a `'` before text that a spreadsheet would take for a formula.

    Text that looks guarded gets another `'`, so `unguard_formula` restores every text exactly.
    """
    return f"'{text}" if _needs_guard(text) else text


def unguard_formula(cell: str) -> str:
    """Return the text of a cell from `guard_formula`."""
    return cell[1:] if cell.startswith("'") and _needs_guard(cell[1:]) else cell


def _needs_guard(text: str) -> bool:
    unquoted = text.lstrip("'")
    return unquoted.startswith(_FORMULA_STARTS) or unquoted.lstrip().startswith(_FORMULA_STARTS)
