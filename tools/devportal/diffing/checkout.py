"""What a forge calls the files: by their paths in its checkout, wherever the command is run."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from devportal.contract import Contract
from devportal.diffing.revisions import RevisionContract
from devportal.forges import checkout_path


def checkout_paths(contracts: Iterable[Contract], *, workspace: Path | None) -> Mapping[str, str]:
    """Return the path in the checkout of each file of contracts, by the name that messages call it.

    A file of a revision has its path in the repository, any other that of `checkout_path`.
    """
    return {name: path for contract in contracts for name, path in _paths(contract, workspace)}


def _paths(contract: Contract, workspace: Path | None) -> Iterator[tuple[str, str]]:
    for document in contract.source.documents().values():
        if isinstance(contract, RevisionContract):
            in_repository = document.name.removeprefix(f"{contract.revision}:")
            yield f"{contract.revision}:{in_repository}", in_repository
            continue
        yield document.name, checkout_path(document.name, workspace=workspace)
