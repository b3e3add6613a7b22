"""Why a failure counts or does not, in words."""

from typing import assert_never

from devportal.conformance.result import QUIET, Failure, Standing


def standing_text(failure: Failure) -> str:
    """Return what is to be known of a failure's standing."""
    match failure.standing:
        case Standing.CONFIRMED:
            return "shown again by a replay"
        case Standing.CERTAIN:
            return "about the whole run"
        case Standing.INTERMITTENT:
            return "intermittent: it comes and goes"
        case Standing.NOT_REPRODUCED:
            return "did not show again when sent once more"
        case Standing.NOTE:
            return "breaks no promise: the contract neither has it nor forbids it"
        case Standing.KNOWN:
            return _known(failure)
        case other:
            assert_never(other)


def uncounted_text(failure: Failure) -> str:
    """Return why a failure does not make the run red."""
    if failure.standing in (*QUIET, Standing.KNOWN):
        return standing_text(failure)
    return "its operation is not gated by --stability"


def _known(failure: Failure) -> str:
    if failure.known is None:
        return "known"
    owner = f", {failure.known.owner}" if failure.known.owner else ""
    return f"known until {failure.known.expires}{owner}: {failure.known.reason}"
