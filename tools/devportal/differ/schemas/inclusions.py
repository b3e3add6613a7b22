"""Whether one schema allows all that another does: whether the change from the one to the other breaks nobody."""

from dataclasses import dataclass

from devportal.contract import Api
from devportal.differ.change import component_of
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.policy import Policy
from devportal.differ.rule import Direction, Verdict
from devportal.differ.schemas.compare_schemas import SchemaComparison
from devportal.differ.schemas.position import Position, Schemas, Side


class Inclusions:
    """Shows of two schemas, each of either contract, that one allows all that the other does."""

    def __init__(self, old: Api, new: Api, policy: Policy) -> None:
        """Take both contracts and the policy."""
        self._forms = {
            Side.OLD: SchemaNormaliser(old, other_contract_names=_shared_schema_names(new)),
            Side.NEW: SchemaNormaliser(new, other_contract_names=_shared_schema_names(old)),
        }
        self._policy = policy
        self._comparisons: dict[tuple[Side, Side], SchemaComparison] = {}
        self._running = 0
        self._asked = 0

    def forms(self, side: Side) -> SchemaNormaliser:
        """Return the forms of one contract."""
        return self._forms[side]

    def __call__(
        self,
        narrow: Schemas,
        narrow_side: Side,
        wide: Schemas,
        wide_side: Side,
        *,
        is_branch: bool = False,
        gravest: Verdict = Verdict.COMPATIBLE,
        travels: Direction = Direction.TO_PROVIDER,
    ) -> bool:
        """Return whether each value that is valid for the one schema is shown to be valid for the other.

        A request schema is safe to change if old values stay valid: so the question is whether the change
        from the narrow schema to the wide one breaks nobody. Questions within a question have limits of depth
        and number, beyond which nothing is shown: unions that contain each other would have no end of them.
        """
        self._asked = self._asked + 1 if self._running else 0
        if self._running >= _MAX_NESTED_QUESTIONS or self._asked > _MAX_QUESTIONS_WITHIN:
            return False
        comparison = self._comparisons.get((narrow_side, wide_side))
        if comparison is None:
            comparison = SchemaComparison(
                self._forms[narrow_side],
                self._forms[wide_side],
                self._policy,
                _InclusionOfSides(self, narrow_side, wide_side),
            )
            self._comparisons[(narrow_side, wide_side)] = comparison
        is_mirrored = travels is Direction.TO_CONSUMER
        position = Position(Direction.TO_PROVIDER, is_branch=is_branch, is_mirrored=is_mirrored)
        self._running += 1
        try:
            worst = comparison.worst(narrow, wide, position, is_final=self._running == 1)
        finally:
            self._running -= 1
        return worst is None or worst.rank <= gravest.rank


@dataclass(frozen=True, slots=True)
class _InclusionOfSides:
    """Asks a question within a question: there, the old side is the narrow one, whichever contract it is of."""

    inclusions: Inclusions
    narrow_side: Side
    wide_side: Side

    def __call__(
        self,
        narrow: Schemas,
        narrow_side: Side,
        wide: Schemas,
        wide_side: Side,
        *,
        is_branch: bool = False,
        gravest: Verdict = Verdict.COMPATIBLE,
        travels: Direction = Direction.TO_PROVIDER,
    ) -> bool:
        """Return whether each value of the one schema is shown to be valid for the other."""
        sides = {Side.OLD: self.narrow_side, Side.NEW: self.wide_side}
        return self.inclusions(
            narrow,
            sides[narrow_side],
            wide,
            sides[wide_side],
            is_branch=is_branch,
            gravest=gravest,
            travels=travels,
        )


_MAX_NESTED_QUESTIONS, _MAX_QUESTIONS_WITHIN = 8, 1_000


def _shared_schema_names(api: Api) -> frozenset[str]:
    """Return the names of the shared schemas of a contract."""
    components = map(component_of, api.schemas)
    return frozenset(component[1] for component in components if component is not None)
