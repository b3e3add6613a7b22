"""The corpus: OpenAPI files of others, which lie beside the repository and are no part of it.

Tests that read them are marked `corpus`, and skipped with a reason where the folder is absent.
"""

from functools import lru_cache
from pathlib import Path

import pytest

from devportal.contract import Contract, load_contract

SPECS = Path(__file__).parents[2] / "shared" / "specs"
NAMES = tuple(
    sorted(
        path.relative_to(SPECS).as_posix()
        for path in (SPECS.rglob("*") if SPECS.is_dir() else ())
        if path.suffix in {".yaml", ".yml", ".json"}
    )
)
"""Every OpenAPI or Swagger file, by its path within the folder."""


def corpus_file(name: str) -> Path:
    """Return the path of a file of the corpus; skips the test that asks where it is absent."""
    path = SPECS / name
    if not path.is_file():
        pytest.skip(f"the corpus of contracts is not beside the repository: no {name}")
    return path


_SMALL_BYTES = 100_000


def contract_param(name: str, *values: object) -> object:
    """Return the parameters of a test of one file: large ones cost seconds in each test, and are deep."""
    path = SPECS / name
    is_large = path.is_file() and path.stat().st_size > _SMALL_BYTES
    return pytest.param(name, *values, marks=[pytest.mark.deep] if is_large else [])


each_contract = pytest.mark.parametrize(
    "name", [*map(contract_param, NAMES or ["no corpus"])], scope="session"
)
"""Runs a test once for each file, to be opened by `corpus_file` or `corpus_contract`: without the corpus it
is skipped and does not pass. Tests of one file come one after the other, whatever their modules are."""


@lru_cache(maxsize=1)
def corpus_contract(name: str) -> Contract:
    """Return the contract in a file of the corpus, which is read once for the tests of that file."""
    return load_contract(corpus_file(name), name=name)
