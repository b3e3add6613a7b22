"""Options that several commands of the sandbox have."""

from pathlib import Path

import click

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
