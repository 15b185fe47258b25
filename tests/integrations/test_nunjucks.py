"""Templates filled as Nunjucks fills them; what it refuses or is not understood is told and left as written."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest

from sampleui.formats.data import Table
from sampleui.integrations.nunjucks import REFUSED, Filling
from tests.torture.nunjucks import Template, outcome
from tests.torture.random_templates import RandomTemplates

VARIABLES: Table = {"a": "A", "b": {"c": "BC"}, "true": "T", "not": "N", "in": "I", "none": "x"}


def filled(template: str) -> tuple[str, list[str]]:
    """Return a template filled, and what is told."""
    filling = Filling(VARIABLES, {})
    return filling.text(template), filling.notes


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("A {{ '{{ kept }}' }} for {{a}}", "A {{ kept }} for A"),
        ("{{ '{% x %}' | lower }}{{ \"#}\" }}", "{% x %}#}"),
        ("x {{- a -}} \n y", "xAy"),
        ("x {#- gone -#} y {# kept #} z", "xy  z"),
        ("{{ 'it\\'s\\n' }}{{ 007 }}", "it's\n7"),
        ("{{ false }}|{{ null }}|{{ b.c }}|{{ in }}", "false||BC|I"),
        ("{{\n  a\n}}", "A"),
        ("{{ b['c'] }}|{{ a | replace('A', 'it\\'s') }}", "BC|it's"),
    ],
)
def test_templates_come_out_as_nunjucks_renders_them(template: str, value: str) -> None:
    # Each is what nunjucks 3.2.4 rendered without autoescape.
    assert filled(template)[0] == value


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{{ a }\nx", "never closed"),
        ("{{ 'a }}", "never closed"),
        ("{# a", "never closed"),
        ("a #} b", "no comment is to be ended there"),
        ("{{ {'k': 1}.k }}", "only plain variables"),
        ("{{ a\n+ a }}", "only plain variables"),
        ("{{{a: 1} }}", "beginning of a table"),
        ("{{ not }}", "a value is missing at its end, which Nunjucks refuses"),
        ("{{ b.constructor }}", "what JavaScript has in every table"),
        ("{{ toString }}", "what JavaScript has in every table"),
        ("{{ b.0 }}", "a key is missing behind a dot, which Nunjucks refuses"),
        ("{% raw %}{{ a }}{% endraw %}", "only plain variables"),
    ],
)
def test_what_is_not_understood_is_told_and_left_as_written(template: str, told: str) -> None:
    text, notes = filled(template)
    assert text == template
    assert any(told in note and "is left as written" in note for note in notes), notes


def test_a_constant_is_told_where_a_variable_has_its_name() -> None:
    assert filled("{{ true }}") == (
        "true",
        ["{{ true }} is a constant of Nunjucks, and not the variable of its name"],
    )


def rendered(texts: list[str], variables: Table) -> list[str | None]:
    """Return what the nunjucks package makes of templates, None where it ends with an error. Skips without it."""
    package = Path(os.environ.get("READERS_FROM") or Path(__file__).parents[1] / "torture" / "x").parent
    package = package if package.name == "node_modules" else package / "node_modules"
    if not (package / "nunjucks").is_dir():
        pytest.skip("npm install --prefix tests/torture")
    program = """
        const { Environment } = require(process.argv[1]);
        const [texts, variables] = JSON.parse(require("fs").readFileSync(0, "utf8"));
        const environment = new Environment(null, { autoescape: false });
        const value = (text) => {
            try { return environment.renderString(text, structuredClone(variables)); } catch { return null; }
        };
        console.log(JSON.stringify(texts.map(value)));
    """
    ran = subprocess.run(
        ["node", "-e", program, str(package / "nunjucks")],
        input=json.dumps([texts, variables]), capture_output=True, check=True, text=True, timeout=60,
    )  # fmt: skip
    values: list[str | None] = json.loads(ran.stdout)
    return values


def test_no_random_template_differs_from_nunjucks_in_silence() -> None:
    words = (
        """{{ }} {{- -}} {% %} {# #} { } ' " \\ a b.c true not in 1 | upper r/ / it's constructor b.0 [ ] ( ) #"""
    )
    parts = words.split()
    chance = random.Random(1)
    texts = ["".join(chance.choices([*parts, " ", "\n"], k=chance.randint(1, 7))) for _ in range(4000)]
    texts += [f"{{{{{text}}}}}" for text in texts]
    values = rendered(texts, VARIABLES)
    came = {text: outcome(Template(text, VARIABLES, value)) for text, value in zip(texts, values, strict=True)}
    assert [text for text, how in came.items() if how in ("silent", "wrong")] == []
    assert sum(how == "right" for how in came.values()) > 1000


def test_no_random_template_that_nunjucks_renders_is_called_refused() -> None:
    chance = RandomTemplates(7)
    texts = [chance.template() for _ in range(4000)]
    refused = 0
    for text, value in zip(texts, rendered(texts, chance.variables), strict=True):
        filling = Filling(chance.variables, {})
        filling.text(text)
        told = any(REFUSED in note for note in filling.notes)
        assert not (told and value is not None), (text, filling.notes)
        refused += told
    assert refused > 1500


@pytest.mark.parametrize(
    "expression",
    [
        *(
            "name +",
            "+ ",
            "* name",
            "name //",
            "== q",
            "name ==",
            "name ? 1 : 2",
            "name if",
            "name if q else",
            "if q x",
        ),
        *(
            "name not",
            "name and",
            "name in",
            "name is",
            "(name",
            "name)",
            "name[0",
            "name]",
            "obj[]",
            "[1,]",
            "[1,,2]",
        ),
        *(
            "{'a'}",
            "{'a':}",
            "()",
            "name(",
            "q(1,",
            "q(,1)",
            "q(a=)",
            "name | upper |",
            "name | 'x'",
            "name | upper x",
        ),
        *(
            "name | replace('a'",
            "name | replace('a' 'b')",
            "name.1",
            ".5",
            "5.5.5",
            "name && q",
            "!name",
            "name <> q",
        ),
        *("a else b", "name, q", "name = 1", "[a b]", "name # x", "q |", "not"),
    ],
)
def test_an_expression_that_nunjucks_refuses_is_told_as_that(expression: str) -> None:
    # Each ended in "Template render error" in Nunjucks 3.2.4.
    for template in (
        f"a {{{{ {expression} }}}} b",
        f"a{{{{- {expression} }}}} b",
        f"{{% if {expression} %}}x{{% endif %}}",
    ):
        filling = Filling({"name": "Al", "q": "hi", "obj": {"k": "v"}}, {})
        assert filling.text(template).rstrip() in template
        assert [REFUSED in note for note in filling.notes] == [True], filling.notes


@pytest.mark.parametrize(
    "expression",
    [
        *(
            "5.",
            "name if q",
            "name if q else n",
            "-name",
            "not name",
            "name not in list",
            "name is not defined",
            "a.é",
        ),
        *(
            "[1, 2]",
            "{a: 1}",
            "{'a': 1}.a",
            "range(3)[0]",
            "name | replace('a', 'b') | upper",
            "(name, q)",
            "q == n == 1",
        ),
        *(
            "name and not q",
            "list[0]",
            "range(a=1, b=2)",
            "and",
            "k - not",
            "upper not in 'b'",
            "list'a'",
            "[)",
            "@name",
        ),
        *(
            "name | default('}}')",
            "n ** 2 // 3 % 4 ~ q",
            "'a' in name",
            "r/a|b/.test(q)",
            "a < b and b >= c",
            "not in'a'",
        ),
    ],
)
def test_an_expression_that_nunjucks_takes_is_not_told_as_refused(expression: str) -> None:
    filling = Filling({"name": "Al", "q": "hi", "n": 3, "list": ["a"]}, {})
    filling.text(f"{{{{ {expression} }}}}")
    filling.text(f"{{% if {expression} %}}x{{% endif %}}")
    assert not any(REFUSED in note for note in filling.notes), filling.notes


@pytest.mark.parametrize(
    "template",
    [
        *("{% for x of list %}{% endfor %}", "{% for x in %}{% endfor %}", "{% set x = %}", "{% set x == 1 %}"),
        *("{% if q %}{{ name | }}{% endif %}", "{% if q %}x{% elif %}y{% endif %}", "{% switch %}{% endswitch %}"),
        *("{% for x in list %}{{ x y }}{% endfor %}", "{% set x = 1 2 %}", "{% if q %}{{ }}{% endif %}"),
    ],
)
def test_a_block_that_nunjucks_refuses_is_told_as_that(template: str) -> None:
    filling = Filling({"q": "hi"}, {})
    assert filling.text(template) == template and [REFUSED in note for note in filling.notes] == [True]


@pytest.mark.parametrize(
    "template",
    [
        *("{{{a}}}", "{% if q", "{% if q }}x{% endif %}", "{% if q %}{{ a }", "{% if q %}#}{% endif %}"),
        *(
            "{{ list[0:2] }}",
            "{{ list[:1] }}",
            "{{ list[0, 1] }}",
            "{{ q is not }}",
            "{{ {5: 1} }}",
            "{{ f(1=2) }}",
        ),
        *(
            "{% for 5 in list %}{% endfor %}",
            "{% for x y in list %}{% endfor %}",
            "{% for x.y in list %}{% endfor %}",
        ),
        *(
            "{% set x.y = 1 %}",
            "{% set x y = 1 %}",
            "{% set x += 1 %}",
            "{% set = 1 %}",
            "{% block x.y %}{% endblock %}",
        ),
        *("{% macro f %}{% endmacro %}", "{% macro f(a b) %}{% endmacro %}", "{% macro f(a,) %}{% endmacro %}"),
        *(
            "{% if q %}{% else if n %}{% endif %}",
            "{% if q %}{% else %}{% else %}{% endif %}",
            "{% if q %}{% endif q %}",
        ),
        *(
            "{% for x in list %}{% elif q %}{% endfor %}",
            "{% filter nope %}x{% endfilter %}",
            "{% raw x %}{% endraw %}",
        ),
        *(
            "{% filter upper|lower %}x{% endfilter %}",
            "{% call f %}x{% endcall %}",
            "{% import 'x' %}",
            "{% include %}",
        ),
        *(
            "{% switch q %}{% endswitch %}",
            "{% block x %}{% endblock %}{% block x %}{% endblock %}",
            "{% from 'x' %}",
        ),
    ],
)
def test_what_its_grammar_refuses_is_told_as_that(template: str) -> None:
    filling = Filling({"q": "hi", "n": 3, "list": ["a"]}, {})
    assert filling.text(template) == template and [REFUSED in note for note in filling.notes] == [True]


@pytest.mark.parametrize(
    "tag",
    [
        *("name.upper()", "obj.items()", "missing()", "name()", "obj.k.nope()", "true()", "list.append(1)"),
        *(
            "n | upper",
            "list | lower",
            "obj | trim",
            "name | join(', ')",
            "obj.nope | first",
            "n | list",
            "none | sum",
        ),
        *(
            "name is number_",
            "n is divisible(2)",
            "missing is not nope",
            "'a' in n",
            "'a' not in obj.nope",
            "name | nope",
        ),
    ],
)
def test_what_ends_a_run_with_an_error_is_told_as_that(tag: str) -> None:
    template = f"{{{{ {tag} }}}}"
    filling = Filling({"name": "Al", "n": 3, "obj": {"k": "v"}, "list": ["a"]}, {})
    assert filling.text(template) == template and [REFUSED in note for note in filling.notes] == [True]


@pytest.mark.parametrize(
    "tag",
    [
        *(
            "name.toUpperCase()",
            "list.join(',')",
            "range(3)",
            "obj.toString()",
            "env.X()",
            "_conversation.x()",
            "file | first",
        ),
        *(
            "missing() if false",
            "n and missing()",
            "name is none",
            "name is divisibleby(2)",
            "n | join(',', 'x')",
            "obj | sum('k')",
        ),
        *(
            "missing.x",
            "missing | first",
            "missing | upper | join",
            "'a' in missing",
            "file | upper",
            "file | join",
            "'a' in file",
            "not (name)",
            "name is odd ~ n",
        ),
    ],
)
def test_what_may_not_end_a_run_is_not_called_refused(tag: str) -> None:
    filling = Filling({"name": "Al", "n": 3, "obj": {"k": "v"}, "list": ["a"], "file": "file://x.json"}, {})
    filling.text(f"{{{{ {tag} }}}}")
    assert not any(REFUSED in note for note in filling.notes), filling.notes


@pytest.mark.parametrize(
    "template",
    [
        *(
            "{% raw %}{% raw %}a{% endraw %}{% endraw %}",
            "{% if q %}{# {% foo %} #}{% endif %}",
            "{% set s = '%}' %}",
        ),
        *(
            "{{ '{% foo %}' }}{% if q %}{% endif %}",
            "{% for in in list %}{% endfor %}",
            "{% block x %}{% endblock x %}",
        ),
        *("{% set 's' = 1 %}", "{% switch q %}x{% case 1 %}{% default %}{% endswitch %}", "{% set x, y = 1 %}"),
        *("{% if q %}{% elseif n %}{% else %}{% endif %}", "{% filter replace('a', 'b') %}{% endfilter %}"),
        *(
            "{% macro f(a, x.y=1) %}{% endmacro %}",
            "{{ q if q is odd == +)(list) }}{% if q %}{% endif %}",
            "{% for x, y in obj %}{% else %}{% endfor %}",
            "{% macro f(a, b=1) %}{% endmacro %}",
            "{%- raw -%}{{ a b }}",
        ),
    ],
)
def test_a_block_that_nunjucks_takes_is_not_called_refused(template: str) -> None:
    filling = Filling({"q": "hi", "n": 3, "list": ["a"], "obj": {"k": "v"}}, {})
    filling.text(template)
    assert not any(REFUSED in note for note in filling.notes), filling.notes


@pytest.mark.parametrize("tag", ["name.upper()", "n | upper", "'a' in n", "obj()"])
def test_what_programs_may_change_before_is_not_called_refused(tag: str) -> None:
    filling = Filling({"name": "Al", "n": 3, "obj": {"k": "v"}}, {}, changed=True)
    filling.text(f"{{{{ {tag} }}}}")
    assert not any(REFUSED in note for note in filling.notes), filling.notes
