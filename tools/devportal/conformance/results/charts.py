"""The drawings of the HTML report: bars in a box of fixed size, as numbers from which SVG is written."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devportal.conformance.results.result import Latency, OperationResult
from devportal.conformance.results.wording import status_text

WIDTH = 200.0
"""The width of every drawing, in its own units."""
_CLASSES = {0: "none", 1: "other", 2: "success", 3: "other", 4: "refusal", 5: "error"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A rectangle of a drawing: where it begins, how wide it is, what kind it is."""

    kind: str
    x: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChart:
    """Bars, and what they show in words."""

    bars: tuple[Bar, ...]
    text: str


def status_chart(operation: OperationResult) -> BarChart:
    """Return the responses of an operation by the class of their status; the whole width is all of them."""
    total = sum(count for _, count in operation.statuses) or 1
    counts: dict[str, int] = {}
    for status, count in operation.statuses:
        kind = _CLASSES.get(status // 100, "other")
        counts[kind] = counts.get(kind, 0) + count
    order = [kind for kind in ("success", "other", "refusal", "error", "none") if kind in counts]
    text = ", ".join(f"{status_text(status)} ×{count}" for status, count in operation.statuses)
    return BarChart(bars=tuple(_place_bars([(kind, counts[kind] / total) for kind in order])), text=text)


def latency_chart(found: Latency, slowest_ms: float) -> BarChart:
    """Return the percentiles of an operation on a scale that ends at the slowest p99 of all."""
    p50, p95, p99 = (
        min(item / slowest_ms, 1.0) if slowest_ms else 0.0
        for item in (found.p50_ms, found.p95_ms, found.p99_ms)
    )
    shares = [("p50", p50), ("p95", p95 - p50), ("p99", p99 - p95)]
    text = (
        f"median {found.p50_ms:,.0f} ms, p95 {found.p95_ms:,.0f} ms, p99 {found.p99_ms:,.0f} ms, "
        f"slowest {found.slowest_ms:,.0f} ms"
    )
    return BarChart(bars=tuple(_place_bars(shares)), text=text)


def share_chart(part: int, of: int) -> BarChart:
    """Return how much of something there is of all."""
    return BarChart(bars=tuple(_place_bars([("success", part / of if of else 0.0)])), text=f"{part} of {of}")


def latency_scale_ms(operations: Sequence[OperationResult]) -> float:
    """Return the end of the scale of latencies, in milliseconds."""
    return max(
        (operation.latency.p99_ms for operation in operations if operation.latency is not None), default=0.0
    )


def _place_bars(shares: Sequence[tuple[str, float]]) -> Iterator[Bar]:
    x = 0.0
    for kind, part in shares:
        width = round(part * WIDTH, 2)
        if width > 0:
            yield Bar(kind=kind, x=round(x, 2), width=width)
        x += width
