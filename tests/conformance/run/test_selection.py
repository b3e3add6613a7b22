"""Which operations a run tests: patterns, and shards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.conformance.run.options import Selection, split_operations
from devportal.contract import Operation
from devportal.errors import InvalidSettings
from tests.conformance.running import CONTRACT
from tests.contracts import contract_at, own_contract

OPERATIONS = contract_at(CONTRACT).api.operations
OWN = own_contract().api.operations


@pytest.mark.parametrize(
    ("include", "exclude", "labels"),
    [
        (("registerParcel",), (), ["POST /v1/parcels"]),
        (("/v1/parcels*",), ("POST *",), ["GET /v1/parcels/{parcelId}"]),
        ((), ("*parcel*", "POST *"), ["GET /v1/health"]),
    ],
)
def test_patterns_choose(include: tuple[str, ...], exclude: tuple[str, ...], labels: list[str]) -> None:
    """An operationId, a path, or a method and a path, with `*` for any text."""
    chosen = Selection(include=include, exclude=exclude).of(OPERATIONS)

    assert [f"{operation.method} {operation.path}" for operation in chosen] == labels


def test_a_pattern_that_fits_nothing_is_named() -> None:
    """A misspelt pattern must not quietly test less."""
    with pytest.raises(InvalidSettings, match="no operation of the contract fits 'regsterParcel'"):
        Selection(exclude=("regsterParcel",)).of(OPERATIONS)


def test_nothing_left_is_an_error() -> None:
    """A run without operations proves nothing."""
    with pytest.raises(InvalidSettings, match="leave no operation"):
        Selection(exclude=("*",)).of(OPERATIONS)


@given(st.lists(st.sampled_from(OWN), unique_by=id), st.integers(1, 9))
def test_shards_hold_every_operation_once(operations: list[Operation], count: int) -> None:
    """Together the shards are the whole, nothing is tested twice, and things are not torn apart."""
    shards = split_operations(operations, count)

    held = [operation for shard in shards for operation in shard]
    assert len(shards) == count
    assert sorted(map(id, held)) == sorted(map(id, operations))
    assert split_operations(operations, count) == shards
    homes = {
        operation.path.split("/{")[0]: number for number, shard in enumerate(shards) for operation in shard
    }
    assert all(
        homes[operation.path.split("/{")[0]] == number
        for number, shard in enumerate(shards)
        for operation in shard
    )


def test_shards_of_our_contract_are_of_about_one_size() -> None:
    """The longest shard decides how long a run takes."""
    sizes = [len(shard) for shard in split_operations(OWN, 4)]

    assert max(sizes) <= 1.5 * len(OWN) / 4


def test_a_shard_without_operations_is_explained() -> None:
    """Twenty shards of three operations: most have nothing to do."""
    with pytest.raises(InvalidSettings, match="shard 20 of 20 has no operation"):
        Selection(shard=20, shards=20).of(OPERATIONS)
