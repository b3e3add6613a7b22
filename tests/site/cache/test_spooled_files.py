"""Generated files that wait on disk until they are written."""

from devportal.markup import Artefact
from devportal.site.cache.spooled_files import LARGE_BYTES, FileSpool, SpooledFile


def test_large_files_are_on_disk_and_small_ones_in_memory() -> None:
    """Each has the content that it was made with, in any order and as often as it is read."""
    spool = FileSpool()
    contents = [b"a" * LARGE_BYTES, b"small", b"b" * (LARGE_BYTES + 1), b"c" * LARGE_BYTES]

    files = [
        spool.add(Artefact(uri=f"{number}.csv", content=content)) for number, content in enumerate(contents)
    ]

    assert [isinstance(file, SpooledFile) for file in files] == [True, False, True, True]
    for _ in range(2):
        assert [file.content for file in reversed(files)] == contents[::-1]
    assert [file.uri for file in files] == ["0.csv", "1.csv", "2.csv", "3.csv"]


def test_file_on_disk_outlives_its_spool() -> None:
    """What holds a file need not hold what made it."""
    file = FileSpool().add(Artefact(uri="a.csv", content=b"a" * LARGE_BYTES))

    assert file.content == b"a" * LARGE_BYTES
