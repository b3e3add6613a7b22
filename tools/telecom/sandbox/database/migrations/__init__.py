"""The schema of the database, and its migrations from older ones.

To change a table: change it where it is declared, then add `versions/vNNNN_what_changes.py` with the next
number: `revision = "NNNN"`, `down_revision` = the number before it, and `upgrade()`, which makes the change
with `alembic.op` and keeps the data, on SQLite and on PostgreSQL. SQLite cannot alter a column or a
constraint: `with op.batch_alter_table(name) as table` recreates the table. A migration names tables and
columns itself and imports none of ours, as those go on to change; a released migration is never changed.
There is no downgrade: an older program refuses a newer database. `test_migrations.py` shows where tables and
migrations disagree.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from devportal.errors import EnvironmentProblem, Place

if TYPE_CHECKING:
    from alembic.config import Config


_FOLDER = Path(__file__).parent
_BEFORE_MIGRATIONS = 4
"""The `PRAGMA user_version` of SQLite files of version 0001 that are older than migrations."""
_SINCE_MIGRATIONS = 5
"""The `PRAGMA user_version` of all others: programs without migrations refuse it."""
_VERSION = sa.table("alembic_version", sa.column("version_num", sa.String))


def versions() -> tuple[str, ...]:
    """Return the versions that this program knows, the newest last."""
    return tuple(sorted(path.name[1:5] for path in (_FOLDER / "versions").glob("v[0-9]*_*.py")))


def is_current(connection: sa.Connection) -> bool:
    """Return whether a database has the newest version; one query, for the start of each process.

    Leaves the transaction unusable if the database has no version at all.
    """
    try:
        return connection.execute(sa.select(_VERSION.c.version_num)).scalar() == versions()[-1]
    except (sa.exc.OperationalError, sa.exc.ProgrammingError):
        return False


def upgrade(connection: sa.Connection, place: Place) -> None:
    """Migrate a database to the newest version, in an exclusive transaction.

    Raises EnvironmentProblem if this program does not know its version.
    """
    from alembic import command  # noqa: PLC0415 - takes longer than all else at the start, and is rarely needed

    config = _alembic_config(connection)
    version = _version(connection)
    if version is None and _user_version(connection) == _BEFORE_MIGRATIONS:
        command.stamp(config, version := versions()[0])
    if version is not None and version not in versions():
        raise _unknown_version_error(version, place)
    if version is None and _user_version(connection) != 0:
        raise _unknown_version_error(str(_user_version(connection)), place)
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA user_version={_SINCE_MIGRATIONS}")


def _alembic_config(connection: sa.Connection) -> "Config":
    from alembic.config import Config  # noqa: PLC0415 - as above

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table(_VERSION.name):
        return None
    version: str | None = connection.execute(sa.select(_VERSION.c.version_num)).scalar()
    return version


def _user_version(connection: sa.Connection) -> int:
    if connection.dialect.name != "sqlite":
        return 0
    return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())


def _unknown_version_error(version: str, place: Place) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"the sandbox's database has the format {version}, and this version reads {versions()[-1]}",
        place=place,
        help="start the sandbox with the newest version of this program, or give another with --database",
    )
