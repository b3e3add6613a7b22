"""What rules of encodings look at: how one part of a form or multipart body is written in both contracts."""

from dataclasses import dataclass, field

from devportal.contract import Encoding
from devportal.differ.match.media_types import MediaName, parse_media_name
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.pairs.content import MediaPair
from devportal.differ.pairs.parameter_pair import ValueKind, kinds_of
from devportal.differ.schemas.position import Schemas, Side

_URLENCODED = "application/x-www-form-urlencoded"


@dataclass(frozen=True, kw_only=True)
class EncodingPair:
    """How one part is written; a missing encoding is an empty one."""

    old: Encoding
    new: Encoding
    old_schemas: Schemas
    new_schemas: Schemas
    media: MediaPair = field(repr=False)

    @property
    def old_types(self) -> frozenset[MediaName]:
        """Return the media types that the part could have."""
        return _types(self.old, self._old_forms, self.old_schemas)

    @property
    def new_types(self) -> frozenset[MediaName]:
        """Return the media types that the part may have now."""
        return _types(self.new, self._new_forms, self.new_schemas)

    @property
    def has_style(self) -> bool:
        """Return whether a style decides how the part is written: always in a URL-encoded form, in multipart
        forms if the contract declares it (OAS 3.1.0 §4.8.15.1).
        """
        has_declared_style = any(
            encoding.style or encoding.explode is not None for encoding in (self.old, self.new)
        )
        return has_declared_style and (
            self.media.new_name.kind == _URLENCODED
            or (self.media.new_name.is_form and not self._new_forms.api.openapi.startswith("3.0"))
        )

    @property
    def kinds(self) -> frozenset[ValueKind]:
        """Return the kinds of values that the part may be in both contracts."""
        old, new = self._old_forms.of(*self.old_schemas), self._new_forms.of(*self.new_schemas)
        return kinds_of(old) & kinds_of(new)

    @property
    def _old_forms(self) -> SchemaNormaliser:
        return self.media.operation.contracts.includes.forms(Side.OLD)

    @property
    def _new_forms(self) -> SchemaNormaliser:
        return self.media.operation.contracts.includes.forms(Side.NEW)


def style_of(encoding: Encoding) -> str:
    """Return the style of a part (OAS 3.0.3 §4.7.15.1)."""
    return encoding.style or "form"


def explode_of(encoding: Encoding) -> bool:
    """Return whether each item of a part is a separate part."""
    return encoding.explode if encoding.explode is not None else style_of(encoding) == "form"


def _types(encoding: Encoding, forms: SchemaNormaliser, schemas: Schemas) -> frozenset[MediaName]:
    media_types = encoding.content_type or _default_type(forms, forms.of(*schemas))
    return frozenset(parse_media_name(part) for part in media_types.split(",") if part.strip())


def _default_type(forms: SchemaNormaliser, form: NormalSchema) -> str:
    """Return the media type of a part that names none: by its type, or that of its items (OAS 3.0.3 §4.7.15.1,
    3.1.1 §4.8.15.1.1).
    """
    if "array" in form.types and form.items:
        form = forms.of(*form.items)
    if form.types & {"object", "array"}:
        return "application/json"
    content = dict(form.content)
    if content.get("contentMediaType"):
        return str(content["contentMediaType"])
    is_binary = form.format == "binary" or not form.types or "contentEncoding" in content
    return "application/octet-stream" if is_binary else "text/plain"
