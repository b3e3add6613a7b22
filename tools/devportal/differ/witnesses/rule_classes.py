"""Which breaking verdicts need a witness, and why the others stand without one.

A rule about values claims that there is a value which one contract allows and the other refuses. If no
such value is found, the claim is not shown. All other rules state a fact that both contracts contain.
"""

from collections.abc import Mapping

NEEDING_WITNESS = frozenset(
    {
        "body.media.schema.added",
        "response.media.schema.added",
        "param.text-widened",
        "schema.boolean.false",
        "schema.type.narrowed",
        "schema.type.widened",
        "schema.type.changed",
        "schema.type.text",
        "schema.type.set",
        "schema.type.unset",
        "schema.nullable.added",
        "schema.nullable.removed",
        "schema.format.set",
        "schema.format.unset",
        "schema.format.widened",
        "schema.format.narrowed",
        "schema.format.changed",
        "schema.enum.value.removed",
        "schema.enum.value.added",
        "schema.enum.set",
        "schema.enum.unset",
        "schema.const.set",
        "schema.const.unset",
        "schema.const.changed",
        "schema.minimum.raised",
        "schema.minimum.lowered",
        "schema.maximum.lowered",
        "schema.maximum.raised",
        "schema.exclusive.on",
        "schema.exclusive.off",
        "schema.multiple-of.set",
        "schema.multiple-of.unset",
        "schema.multiple-of.changed",
        "schema.min-length.raised",
        "schema.min-length.lowered",
        "schema.max-length.lowered",
        "schema.max-length.raised",
        "schema.pattern.set",
        "schema.pattern.changed",
        "schema.min-items.raised",
        "schema.min-items.lowered",
        "schema.max-items.lowered",
        "schema.max-items.raised",
        "schema.unique-items.on",
        "schema.unique-items.off",
        "schema.items.set",
        "schema.items.unset",
        "schema.prefix-items.added",
        "schema.prefix-items.removed",
        "schema.contains.set",
        "schema.contains.unset",
        "schema.min-contains.raised",
        "schema.min-contains.lowered",
        "schema.max-contains.lowered",
        "schema.max-contains.raised",
        "schema.property.added.required",
        "schema.property.removed",
        "schema.property.removed.required",
        "schema.property.became-required",
        "schema.property.became-optional",
        "schema.required.undeclared",
        "schema.read-only.unset",
        "schema.write-only.set",
        "schema.additional.closed",
        "schema.additional.constrained",
        "schema.min-properties.raised",
        "schema.min-properties.lowered",
        "schema.max-properties.lowered",
        "schema.max-properties.raised",
        "schema.pattern-property.added",
        "schema.pattern-property.removed",
        "schema.dependent-required.added",
        "schema.dependent-required.removed",
        "schema.not.set",
        "schema.not.unset",
        "schema.property-names.set",
        "schema.property-names.unset",
        "schema.unevaluated.set",
        "schema.unevaluated.unset",
        "schema.unevaluated.reach.shrunk",
        "schema.dependent-schema.added",
        "schema.dependent-schema.removed",
        "schema.if.changed",
        "schema.one-of.added",
        "schema.one-of.removed",
        "schema.any-of.added",
        "schema.any-of.removed",
        "schema.union.wrapped",
        "schema.union.unwrapped",
        "schema.union.set",
        "schema.union.unset",
        "schema.all-of.added",
        "schema.all-of.removed",
        "schema.one-of.to.any-of",
        "schema.any-of.to.one-of",
    }
)
"""The rules about values: a breaking verdict of theirs becomes risky if no message is found that shows it."""

_ADDRESS = "the address changes, whatever is sent to it"
_CREDENTIALS = "schemas do not describe credentials"
_EVENT = "an event that is not sent has no message"
_NOTATION = "both contracts state how the value is written"
_PRESENCE = "both contracts state whether the part is required"
_MEDIA = "both contracts list the media types"
_STATUS = "both contracts list the statuses"
_HABIT = "the policy decides whether clients rely on the part"
_ANNOTATION = "validators ignore the keyword, but clients may not"
_SELECTION = "validators ignore discriminators, but generated clients choose a type by them"

NEEDING_NONE: Mapping[str, str] = {
    **dict.fromkeys(
        ("server.url.changed", "server.removed", "server.variable.enum.removed", "operation.server.changed"),
        _ADDRESS,
    ),
    **dict.fromkeys(
        ("operation.removed", "operation.moved", "path.renamed.case-or-slash", "param.path.added"), _ADDRESS
    ),
    **dict.fromkeys(
        ("security.required", "security.alternative.removed", "security.scheme.added"), _CREDENTIALS
    ),
    **dict.fromkeys(
        ("security.scope.added", "security.scope.undeclared", "security.scheme.type.changed"), _CREDENTIALS
    ),
    **dict.fromkeys(
        ("security.oauth.flow.removed", "security.oauth.url.changed", "webhook.security.changed"),
        _CREDENTIALS,
    ),
    **dict.fromkeys(("webhook.removed", "callback.removed", "webhook.method.changed"), _EVENT),
    **dict.fromkeys(("param.style.changed", "param.explode.changed", "param.schema-to-content"), _NOTATION),
    **dict.fromkeys(("param.allow-reserved.on", "param.allow-reserved.off"), _NOTATION),
    **dict.fromkeys(("param.allow-empty.on", "param.allow-empty.off"), _NOTATION),
    **dict.fromkeys(("param.scalar-to-array", "param.array-to-scalar"), _NOTATION),
    **dict.fromkeys(("body.encoding.content-type.narrowed", "body.encoding.content-type.widened"), _NOTATION),
    **dict.fromkeys(("body.encoding.style.changed", "body.encoding.explode.changed"), _NOTATION),
    **dict.fromkeys(("body.encoding.allow-reserved.on", "body.encoding.allow-reserved.off"), _NOTATION),
    **dict.fromkeys(("response.header.schema-to-content", "response.header.explode.changed"), _NOTATION),
    "schema.xml.changed": _NOTATION,
    **dict.fromkeys(("param.added.required", "param.became-required", "param.became-optional"), _PRESENCE),
    **dict.fromkeys(("param.location.changed", "body.added.required", "body.became-required"), _PRESENCE),
    **dict.fromkeys(("body.became-optional", "body.removed", "response.body.removed"), _PRESENCE),
    **dict.fromkeys(
        ("response.header.became-optional", "response.header.became-required", "response.header.removed"),
        _PRESENCE,
    ),
    **dict.fromkeys(
        ("body.encoding.header.required-added", "body.encoding.header.became-optional"), _PRESENCE
    ),
    "webhook.header.removed": "receivers read signatures and timestamps even if they are optional",
    **dict.fromkeys(("body.media.removed", "body.media.narrowed", "body.media.widened"), _MEDIA),
    **dict.fromkeys(("response.media.removed", "response.media.narrowed", "response.media.widened"), _MEDIA),
    "body.media.param.changed": _MEDIA,
    **dict.fromkeys(
        ("response.success.removed", "response.success.replaced", "response.success.added"), _STATUS
    ),
    "response.range.narrowed": _STATUS,
    **dict.fromkeys(("param.removed", "param.default.changed"), _HABIT),
    **dict.fromkeys(("schema.default.changed", "schema.property.removed.optional"), _HABIT),
    **dict.fromkeys(("operation.id.changed", "operation.id.removed", "component.renamed"), _HABIT),
    **dict.fromkeys(
        ("schema.content-encoding.changed", "schema.content-schema.set", "schema.content-schema.unset"),
        _ANNOTATION,
    ),
    **dict.fromkeys(("schema.enum.extensible.removed", "schema.read-only.set"), _ANNOTATION),
    **dict.fromkeys(
        ("schema.discriminator.property.changed", "schema.discriminator.mapping.removed"), _SELECTION
    ),
    "schema.discriminator.mapping.retargeted": _SELECTION,
    "component.unused.changed": "no operation uses the schema",
    **dict.fromkeys(
        ("sunset.earlier", "removed.before-sunset"), "the change is about time, not about messages"
    ),
}
"""The other rules whose verdict can be breaking, each with why it stands without a witness."""
