"""The two contracts that are compared, with all that judges need: made once, handed down everywhere."""

from dataclasses import dataclass, field

from devportal.contract import Api, Schema
from devportal.differ.hits import ComparedSchemas
from devportal.differ.match.security_schemes import SecuritySchemeMatching
from devportal.differ.policy import Policy
from devportal.differ.schemas.compare_schemas import Inclusions, SchemaComparison
from devportal.differ.schemas.pair import Position, Schemas, Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Contracts:
    """An old and a new contract under comparison."""

    old: Api
    new: Api
    policy: Policy
    schemas: SchemaComparison = field(repr=False)
    includes: Inclusions = field(repr=False)
    schemes: SecuritySchemeMatching = field(repr=False)

    @classmethod
    def of(cls, old: Api, new: Api, policy: Policy) -> "Contracts":
        """Return two contracts with the comparisons that they share."""
        includes = Inclusions(old, new, policy)
        schemas = SchemaComparison(includes.forms(Side.OLD), includes.forms(Side.NEW), policy, includes)
        return cls(
            old=old,
            new=new,
            policy=policy,
            schemas=schemas,
            includes=includes,
            schemes=SecuritySchemeMatching.of(old, new),
        )

    def judged(self, old: Schema | None, new: Schema | None, position: Position) -> ComparedSchemas | None:
        """Return what is found between two schemas, None where neither is there."""
        if old is None and new is None:
            return None
        return self.schemas.judged(schemas_of(old), schemas_of(new), position)

    def is_still_accepted(self, old: Schema | None, new: Schema | None) -> bool:
        """Say whether each value that kept the old schema is shown to keep the new one."""
        if new is None:
            return True
        return self.includes(schemas_of(old), Side.OLD, schemas_of(new), Side.NEW)

    def was_allowed(self, old: Schema | None, new: Schema | None) -> bool:
        """Say whether each value that keeps the new schema is shown to have kept the old one."""
        if old is None:
            return True
        return self.includes(schemas_of(new), Side.NEW, schemas_of(old), Side.OLD)

    def is_alike(self, old: Schema | None, new: Schema | None) -> bool:
        """Say whether two schemas are shown to allow the same values."""
        return self.is_still_accepted(old, new) and self.was_allowed(old, new)


def schemas_of(schema: Schema | None) -> Schemas:
    """Return what is said of a value whose schema may be absent."""
    return (schema,) if schema is not None else ()
