"""Where a failure is shown in the files of a checkout."""

from collections.abc import Callable
from dataclasses import replace

from devportal.conformance.result import Failure, Result
from devportal.errors import Place


def place_of(failure: Failure | None, result: Result, checkout: Callable[[str], str]) -> Place:
    """Return the place of the promise as a forge calls it: that of its operation where there is none of its
    own, and the contract as a whole for what belongs to no operation.
    """
    operations = {one.label: one.place for one in result.operations}
    own = None if failure is None else failure.promise or operations.get(failure.operation)
    place = own or Place(file=_contract_file(result))
    return replace(place, file=checkout(place.file))


def _contract_file(result: Result) -> str:
    """Return the path of the contract: most operations stand in it."""
    files = (one.place.file for one in result.operations)
    return next((file for file in files if file.endswith(result.contract)), result.contract)
