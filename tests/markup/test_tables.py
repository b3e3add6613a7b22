"""Tables in a region that scrolls."""

from devportal.markup.markdown import with_scrolling_tables


def test_table_is_in_a_region_named_by_its_columns() -> None:
    """Tags go, what means something in HTML is escaped once, and columns without a title have no name."""
    table = "<table><thead><tr><th>a &lt; <code>b</code></th><th></th><th>“c”</th></tr></thead></table>"

    assert with_scrolling_tables(f"<p>x</p>\n{table}\n") == (
        '<p>x</p>\n<div class="md-typeset__scrollwrap" tabindex="0" role="region"'
        f' aria-label="Table: a &lt; b, “c”"><div class="md-typeset__table">{table}</div></div>\n'
    )


def test_other_tables_stay() -> None:
    """Those with a class are drawn by somebody who has thought of it."""
    fragment = '<table class="dp-rows"><tr><td>1</td></tr></table>'

    assert with_scrolling_tables(fragment) == fragment


def test_table_inside_a_table_scrolls_alone() -> None:
    """One region inside another would take the focus twice; the tags stay balanced."""
    made = with_scrolling_tables("<table><tr><td><table><tr><td>1</td></tr></table></td></tr></table>")

    assert made.count("md-typeset__scrollwrap") == 1
    assert made.count("<div") == made.count("</div>") == 2
