"""Options that several commands of the sandbox have."""

from pathlib import Path

import click

from telecom.sandbox.encryption import VARIABLE

CONTRACT = click.option(
    "--contract",
    "contract_path",
    default="openapi/openapi.yaml",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The OpenAPI file that is served.",
)
RECORDS = click.option(
    "--records",
    "records_path",
    default="data",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The folder of rate and coverage records; without it the sandbox has none.",
)
DATABASE = click.option(
    "--database",
    default="var/sandbox.sqlite3",
    show_default=True,
    envvar="DEVPORTAL_SANDBOX_DATABASE",
    show_envvar=True,
    help="Where messages and events are kept: a SQLite file, made where it is missing, or a PostgreSQL "
    "database as 'postgresql://USER@HOST/NAME'. A file has one sandbox: a second one is refused. PostgreSQL "
    "needs the extra 'devportal[postgresql]'; what the address leaves out comes from libpq's own variables "
    "and files (PGPASSWORD, '~/.pgpass', services).",
)
ENCRYPTION_KEY = click.option(
    "--encryption-key-file",
    "key_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file with the key that webhook secrets are encrypted with in the database: the Base64 of 32 "
    "bytes. A start makes it if it is missing. To replace a key, write the new one in front of the old one. "
    f"The key may also be in {VARIABLE}. Without a key secrets are stored as they are; --public-webhooks "
    "needs one.",
)
