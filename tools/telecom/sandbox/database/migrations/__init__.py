"""The form of the database, and how one of an older form is brought to the newest.

To change a table: change it where it is declared, then add `versions/vNNNN_what_changes.py` with the next
number: `revision = "NNNN"`, `down_revision` = the number before it, and `upgrade()`, which does the change
with `alembic.op` and keeps the data, on SQLite and on PostgreSQL. SQLite cannot alter a column or a
constraint: `with op.batch_alter_table(name) as table` makes the table anew there. A migration names tables
and columns itself and imports none of ours, as those go on to change; one that has been in a release is
never changed. There is no way down: an older program refuses a newer database. `test_migrations.py` tells
what tables and migrations do not agree on.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from devportal.errors import EnvironmentProblem, Place

if TYPE_CHECKING:
    from alembic.config import Config


_FOLDER = Path(__file__).parent
_BEFORE_MIGRATIONS = 4
"""What SQLite files of the form 0001 have as `PRAGMA user_version`, if they are older than migrations."""
_SINCE_MIGRATIONS = 5
"""What all others have: programs that know no migrations refuse it."""
_VERSION = sa.table("alembic_version", sa.column("version_num", sa.String))


def versions() -> tuple[str, ...]:
    """Return the forms that this program knows, the newest last."""
    return tuple(sorted(path.name[1:5] for path in (_FOLDER / "versions").glob("v[0-9]*_*.py")))


def is_current(connection: sa.Connection) -> bool:
    """Return whether a database has the newest form; one query, for the start of each process.

    Leaves the transaction unusable where the database has no form at all.
    """
    try:
        return connection.execute(sa.select(_VERSION.c.version_num)).scalar() == versions()[-1]
    except (sa.exc.OperationalError, sa.exc.ProgrammingError):
        return False


def upgrade(connection: sa.Connection, place: Place) -> None:
    """Bring a database to the newest form, in a transaction that nobody else writes beside.

    Raises EnvironmentProblem if its form is none that this program knows.
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
