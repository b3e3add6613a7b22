"""What MkDocs and plugins say in a build."""

import warnings

import pytest

from devportal.site.mkdocs_messages import capture_mkdocs_log


def test_a_warning_of_a_plugin_is_printed_as_ours_are(capsys: pytest.CaptureFixture[str]) -> None:
    """Python's own form begins with a line of the plugin's source, which the reader cannot change."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        show = warnings.showwarning
        with capture_mkdocs_log():
            warnings.warn("Nav entry 'nope.md' not found", stacklevel=1)

        assert warnings.showwarning is show
    assert capsys.readouterr().err == "warning: UserWarning: Nav entry 'nope.md' not found\n"
