"""A contract that a command line names, for commands that show no findings of reading it."""

from pathlib import Path

from devportal.contract import Contract, load_contract
from devportal.contract.load import require_allowed_references
from devportal.project.settings_file import SETTINGS_FILE, allows_outside_references


def load_named_contract(path: Path, *, allow_outside_references: bool = False) -> Contract:
    """Return a contract. Its references may lead outside its folder if the option allows it, or if it is that of the
    project in the current folder, whose settings allow it.

    Raises what `load_contract` raises, and InvalidContract if a reference leads outside and may not.
    """
    is_allowed = allow_outside_references or allows_outside_references(Path(SETTINGS_FILE), str(path))
    return require_allowed_references(load_contract(path, allow_outside_references=is_allowed))
