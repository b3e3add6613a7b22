"""`devportal translations`: a file for a translator, or an existing one brought up to date."""

from pathlib import Path

import click

from devportal.atomic_files import FileWrite, write_atomically
from devportal.errors import InvalidSettings


@click.command()
@click.argument("language", help="The tag of the language: pt-BR, zh-Hant.")
@click.argument(
    "file",
    required=False,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write or to bring up to date. By default LANGUAGE.po in this folder.",
)
def translations(*, language: str, file: Path | None) -> None:
    """Write a file with all words of the toolkit, to translate them into LANGUAGE (a tag such as pt-BR).

    A FILE that exists (by default LANGUAGE.po) keeps its translations, and gets the messages that are new. For a
    language that the toolkit has, the file starts with the toolkit's translations. List it under 'translations' in
    mkdocs.yml. Exits with 2 if the file cannot be read.
    """
    from devportal.language import UnknownLanguage, read_language  # noqa: PLC0415 - keeps --help fast
    from devportal.translation.catalogues import find_catalogue, is_translated, read_catalogue  # noqa: PLC0415
    from devportal.translation.extraction import catalogue_text, updated_catalogue  # noqa: PLC0415

    try:
        tag = read_language(language)
    except UnknownLanguage as error:
        raise InvalidSettings(f"{language!r} is not a language tag", help=str(error)) from error
    path = file or Path(f"{tag}.po")
    shipped = find_catalogue(tag)
    start = path if path.exists() else shipped.files[-1] if shipped is not None else None
    catalogue = updated_catalogue(read_catalogue(start) if start is not None else None, tag)
    write_atomically([FileWrite(path=path, content=catalogue_text(catalogue))])
    left = sum(1 for message in catalogue if message.id and not is_translated(message))
    click.echo(f"{path}: {left:,} of {len(catalogue):,} messages to translate")
