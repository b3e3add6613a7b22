"""What a schema is made of: itself, and what its `allOf`, `oneOf` and `anyOf` hold, however deep."""

from collections.abc import Iterator

from devportal.contract import Api, Schema


def composed(api: Api, schema: Schema) -> Iterator[Schema]:
    """Yield a schema and what it is made of, each reference once: a part may be made of the whole."""
    waiting = [schema]
    followed = set()
    while waiting:
        one = waiting.pop()
        if one.ref is not None and one.ref in followed:
            continue
        followed.add(one.ref)
        target = api.resolve(one)
        yield target
        waiting += reversed((*target.all_of, *target.one_of, *target.any_of))
