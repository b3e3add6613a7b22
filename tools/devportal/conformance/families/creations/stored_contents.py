"""What is uploaded, a file or a text, is downloaded unchanged."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from devportal.conformance.deployment.exchange import Exchange, Request, content_type_of
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.creations.content_members import wrong_content_member
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.requests.raw_bodies import (
    OCTET_STREAM,
    concrete_type,
    content_download,
    is_file_type,
    is_text,
    other_texts,
    returns_raw,
    sample_file,
)
from devportal.conformance.knowledge.requests.request_variants import (
    with_header,
    with_json,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    GONE_STATUSES,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    shown_members,
    takes_if_match,
    with_if_match,
)
from devportal.conformance.knowledge.resources.operation_resources import resource_of
from devportal.conformance.knowledge.resources.representation_match import schema_of_reading
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.resources import Resource, object_properties
from devportal.contract.validate.json_schema import Direction

_CONVERTIBLE = "image/"
"""Images are scaled and compressed by many servers, so their bytes may change."""
_LINES = "\r\n\t2 \r\n"
"""The end of a file: servers that convert the ends of lines, or strip what they read, lose it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """An operation that stores a content, and the one that returns it. `resource` is the type of the resource that
    has it; an upload that `creates` it is its creation.
    """

    upload: Operation
    download: Operation
    resource: Resource | None
    creates: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """An upload and the bytes that it stores: its body, or the one file of a form."""

    request: Request
    media_type: str
    sent: bytes


def content_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each content that can be stored and read."""
    for transfer in _transfers(subject):
        yield Probe(
            operation=operation_label(transfer.upload), run=partial(_check_transfer, subject, transfer)
        )


def _transfers(subject: Subject) -> Iterator[Transfer]:
    """Yield the pairs of an upload and a download: at one path, or a creation and the content of what it creates."""
    for upload in subject.operations:
        request = subject.valid(upload) if upload.method in ("PUT", "POST") else None
        content = _content_of(request) if request is not None else None
        if content is None:
            continue
        created = next((resource for resource in subject.resources if resource.create is upload), None)
        if created is None and upload.method == "POST":
            continue
        path = created.path if created is not None else upload.path
        same = (each for each in subject.operations if (each.method, each.path) == ("GET", path))
        download = next(filter(returns_raw, same), None)
        if download is None and created is not None:
            download = content_download(subject.api, created.path)
        if download in subject.operations and _can_return(download, content.media_type):
            owner = created or resource_of(subject, upload)
            yield Transfer(upload=upload, download=download, resource=owner, creates=created is not None)


def _content_of(request: Request) -> Content | None:
    """Return what a request stores, None if that is neither text nor a file."""
    media_type, form = content_type_of(request.headers), request.form
    if form is not None and len(form.files) == 1:
        value = form.values.get(next(iter(form.files)))
        if isinstance(value, str):
            return Content(request=request, media_type=OCTET_STREAM, sent=value.encode())
    if request.body is None or not (is_text(media_type) or is_file_type(media_type)):
        return None
    return Content(request=request, media_type=media_type, sent=request.body)


def _can_return(download: Operation, media_type: str) -> bool:
    """Return whether a download documents a media type, or any."""
    names = {concrete_type(each.name) for response in download.successes for each in response.content}
    return not names.isdisjoint({concrete_type(media_type), OCTET_STREAM, "*/*"})


def _check_transfer(subject: Subject, transfer: Transfer, send: Send) -> Iterator[CheckFailure]:
    """Store a content, read it, and do so again with another one: at the same place, or in another resource. What has
    its own address, such as a logo, is restored.
    """
    if transfer.resource is not None and not transfer.creates and transfer.resource.create is not None:
        owner = create_resource(subject, transfer.resource, send)
        subject = with_resource_id(subject, transfer.resource, owner.id)
    restoring = _restoring_request(subject, transfer, send) if transfer.resource is None else None
    try:
        yield from _transfer_failures(subject, transfer, send)
    finally:
        if restoring is not None:
            if takes_if_match(transfer.upload) and (download := subject.valid(transfer.download)) is not None:
                restoring = with_if_match(transfer.upload, restoring, send(transfer.download, download))
            send(None, restoring)  # under no operation: a rejection is not a failure of it


def _restoring_request(subject: Subject, transfer: Transfer, send: Send) -> Request | None:
    """Return an upload of what is there, None if nothing is. Raises Unsendable if it cannot be sent as it was read."""
    upload, download = subject.valid(transfer.upload), subject.valid(transfer.download)
    if upload is None or download is None:
        raise Unsendable(NO_VALID_REQUEST)
    read = send(transfer.download, download)
    if read.status in GONE_STATUSES:
        return None
    answer = read.answer
    if (
        answer is None
        or not answer.is_success
        or answer.header("content-encoding") is not None
        or upload.form is not None
    ):
        raise Unsendable("a content that can be restored as it was")
    media_type = answer.header("content-type") or content_type_of(upload.headers)
    upload = with_header(replace(upload, body=answer.body), "Content-Type", media_type)
    return with_new_idempotency_key(subject, transfer.upload, upload)


def _transfer_failures(subject: Subject, transfer: Transfer, send: Send) -> Iterator[CheckFailure]:
    earlier: Exchange | None = None
    for content in _contents(subject, transfer.upload):
        stored, read, owner = _store_and_read(subject, transfer, content, send)
        if not is_success(read) and read.status not in GONE_STATUSES:
            raise Unsendable("a content that can be read after it was stored")
        if problem := _difference(content, read, earlier):
            yield response_failure(
                transfer.upload,
                stored,
                "a content is read with other bytes than were stored",
                f"{operation_label(transfer.download)} {problem}",
                stored,
                read,
            )
            return
        is_unchanged = read.answer is not None and read.answer.body == content.sent
        failure = _member_failure(owner, transfer, content, stored, send) if is_unchanged else None
        if failure is not None:
            yield failure
            return
        earlier = read


def _member_failure(
    subject: Subject, transfer: Transfer, content: Content, stored: Exchange, send: Send
) -> CheckFailure | None:
    """Return the failure of a resource whose members describe another file than was stored, such as its size."""
    resource = transfer.resource
    if resource is None or resource.read is None:
        return None
    schema = schema_of_reading(subject, resource)
    properties = {
        each.name: (each, subject.api.resolve(each.schema))
        for each in (object_properties(subject.api, schema) if schema is not None else ())
    }
    reading = subject.valid(resource.read)
    if reading is None:
        return None

    def wrong(exchange: Exchange) -> str:
        return wrong_content_member(properties, dict(shown_members(resource, exchange)), content.sent)

    after = poll_until(partial(send, resource.read, reading), send, lambda exchange: not wrong(exchange))
    if not is_success(after) or is_from_cache(after) or not (problem := wrong(after)):
        return None
    title = "a resource describes another file than was stored"
    return response_failure(transfer.upload, stored, title, problem, stored, after)


def _contents(subject: Subject, upload: Operation) -> Iterator[Content]:
    """Yield two valid uploads with different contents, or one. Raises Unsendable if there is none."""
    request = subject.valid(upload)
    content = _content_of(request) if request is not None else None
    if request is None or content is None:
        raise Unsendable(NO_VALID_REQUEST)
    yield content
    if request.form is not None:
        name = next(iter(request.form.files))
        kinds = (each.content_type or "" for each in request.form.encodings if each.property_name == name)
        lines = "" if any(map(is_text, kinds)) else _LINES
        text = f"{content.sent.decode()} 2{lines}"
        other = with_json(request, {**request.form.values, name: text})
        yield replace(content, request=other, sent=text.encode())
    elif is_file_type(content.media_type):
        yield _with_body(content, sample_file(content.media_type, 1))
    else:
        schema = body_schema(upload)
        others = (
            text
            for text in other_texts(content.sent.decode("utf-8", "replace"))
            if schema is None or subject.validator.is_valid(schema, text, Direction.REQUEST)
        )
        yield from (_with_body(content, text.encode()) for text in islice(others, 1))


def _with_body(content: Content, body: bytes) -> Content:
    return replace(content, request=replace(content.request, body=body), sent=body)


def _store_and_read(
    subject: Subject, transfer: Transfer, content: Content, send: Send
) -> tuple[Exchange, Exchange, Subject]:
    """Return the exchange that stores a content, the one that reads it, as soon as that is what was stored, and the
    subject whose requests are about the resource that has it.
    """
    upload, resource, request = transfer.upload, transfer.resource, content.request
    if transfer.creates and resource is not None:
        created = create_resource(subject, resource, send, request=request)
        stored, subject = created.exchange, with_resource_id(subject, resource, created.id)
    else:
        reading = subject.valid(transfer.download) if takes_if_match(upload) else None
        if reading is not None:
            request = with_if_match(upload, request, send(transfer.download, reading))
        stored = send(upload, with_new_idempotency_key(subject, upload, request))
    download = subject.valid(transfer.download)
    if not is_success(stored) or stored.status == ACCEPTED or download is None:
        raise Unsendable("an upload that the deployment accepts at once")
    read = poll_until(
        partial(send, transfer.download, download), send, lambda each: not _difference(content, each, None)
    )
    return stored, read, subject


def _difference(content: Content, read: Exchange, earlier: Exchange | None) -> str:
    """Return how a content that is read differs from the one that was stored, empty if it does not. An image may have
    been converted: then it must have bytes, more than the beginning of what was sent, and others than `earlier` ones.
    """
    sent, answer = content.sent, read.answer
    if answer is None or not answer.is_success:
        return f"gets {read.outcome} after it was stored"
    shown = answer.body
    if answer.header("content-encoding") is not None or sent == shown:
        return ""
    if is_text(content.media_type) and _plain_text(sent) == _plain_text(shown):
        return ""
    if content.media_type.startswith(_CONVERTIBLE):
        is_same = earlier is not None and earlier.answer is not None and earlier.answer.body == shown
        return (
            f"returns {len(shown)} bytes, which are not this image"
            if is_same or sent.startswith(shown)
            else ""
        )
    pairs = enumerate(zip(sent, shown, strict=False))
    place = next((index for index, (first, second) in pairs if first != second), None)
    where = f"from byte {place} on" if place is not None else "at the end"
    return f"returns {len(shown)} bytes, {len(sent)} were stored, and they differ {where}"


def _plain_text(content: bytes) -> str:
    """Return a text without what servers normalize: ends of lines, a byte order mark, white space around it."""
    return content.decode("utf-8-sig", "replace").replace("\r\n", "\n").strip()
