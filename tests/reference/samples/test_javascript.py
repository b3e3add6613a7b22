"""Programs as JavaScript: what has no translation stops the build. That all write the same, others test."""

from dataclasses import replace

import pytest
from jinja2 import TemplateAssertionError

from devportal.reference.samples import LANGUAGES, SampleRequest
from devportal.reference.samples.javascript import language_modules


def module(program: str) -> str:
    """Return the program of a language with this template as JavaScript."""
    made = language_modules((replace(LANGUAGES[0], program=program),))
    return made["curl"].partition(",program=")[2]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("a{{ body.media_type | text }}", '"a"+f.text(body.type)'),
        (
            "{% if kind in ['a'] %}b{% else %}c{% endif %}",
            '{let o="";if(["a"].includes(kind)){o+="b"}else{o+="c"}return o}',
        ),
        (
            "{% for one in body.parts %}{{ loop.last }}{% endfor %}",
            '{let o="";o+=f.each(body.parts,(one,loop)=>loop.last);return o}',
        ),
        ("{% set a = kind %}{{ a }}", '{let o="",a;a=kind;o+=a;return o}'),
    ],
)
def test_template_is_a_function(program: str, expected: str) -> None:
    """An expression where that is enough, or statements."""
    assert module(program) == f"(f,{{request,body,kind}})=>{expected};\n"


@pytest.mark.parametrize(
    "program",
    [
        "{% macro a() %}{% endmacro %}",
        "{{ 1 + 1 }}",
        "{{ kind > 'a' }}",
        "{{ kind[0] }}",
        "{% for one in kind if one %}{% endfor %}",
        "{{ kind | text(style='a') }}",
    ],
)
def test_what_has_no_translation_is_refused(program: str) -> None:
    """With its node; it would be wrong in the console only."""
    with pytest.raises(TypeError, match="no JavaScript for"):
        module(program)


@pytest.mark.parametrize("program", ["{{ kind | capitalize }}", "{{ kind is string }}"])
def test_filters_and_tests_are_those_of_the_console(program: str) -> None:
    """Jinja's own are not there."""
    with pytest.raises(TemplateAssertionError):
        replace(LANGUAGES[0], program=program).write(SampleRequest(method="GET", url="/a"))
