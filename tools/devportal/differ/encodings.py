"""What differs in how the parts of form and multipart bodies are written."""

from collections.abc import Iterator, Mapping

from devportal.contract import Encoding, MediaType, Schema
from devportal.differ import fields
from devportal.differ.applying import applied
from devportal.differ.content import MediaPair
from devportal.differ.encoding_pair import EncodingPair
from devportal.differ.headers import part_header_findings
from devportal.differ.normal import Forms
from devportal.differ.pair import Schemas, Side
from devportal.differ.rules.encodings import ENCODING_RULES
from devportal.differ.sites import Found, Site


def encoding_findings(media: MediaPair, site: Site) -> Iterator[Found]:
    """Yield everything that is found in the encodings of a body in one media type."""
    before, after = dict(_named(media.old)), dict(_named(media.new))
    if not before and not after:
        return
    includes = media.operation.contracts.includes
    old_parts = _parts(includes.forms(Side.OLD), media.old.schema)
    new_parts = _parts(includes.forms(Side.NEW), media.new.schema)
    for step in before | after:
        if (step in old_parts) is not (step in new_parts):
            continue  # a part that came or went, with all that is said of it
        pair = EncodingPair(
            old=before.get(step, Encoding()),
            new=after.get(step, Encoding()),
            old_schemas=old_parts.get(step, ()),
            new_schemas=new_parts.get(step, ()),
            media=media,
        )
        yield from applied(ENCODING_RULES, pair, site.at(step))
        yield from part_header_findings(pair, site.at(step))


def _named(media: MediaType) -> Iterator[tuple[str, Encoding]]:
    """Yield encodings with the step to what they are for."""
    yield from ((fields.member(one.property_name), one) for one in media.encodings)
    yield from ((fields.position(number), one) for number, one in enumerate(media.prefix_encodings))
    if media.item_encoding is not None:
        yield fields.ITEMS, media.item_encoding


def _parts(forms: Forms, schema: Schema | None) -> Mapping[str, Schemas]:
    """Return what is said of the parts of a body, by the step to each."""
    if schema is None:
        return {}
    form = forms.of(schema)
    found = {fields.member(name): one.schemas for name, one in form.members.items()}
    found |= {fields.position(number): (one,) for number, one in enumerate(form.prefix_items)}
    return found | ({fields.ITEMS: form.items} if form.items else {})
