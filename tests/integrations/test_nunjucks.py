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
        ("{{{a}}}", "beginning of a table"),
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


def test_no_random_template_differs_from_nunjucks_in_silence() -> None:
    package = Path(os.environ.get("READERS_FROM") or Path(__file__).parents[1] / "torture" / "x").parent
    package = package if package.name == "node_modules" else package / "node_modules"
    if not (package / "nunjucks").is_dir():
        pytest.skip("npm install --prefix tests/torture")
    words = (
        """{{ }} {{- -}} {% %} {# #} { } ' " \\ a b.c true not in 1 | upper r/ / it's constructor b.0 [ ] ( ) #"""
    )
    parts = words.split()
    chance = random.Random(1)
    texts = ["".join(chance.choices([*parts, " ", "\n"], k=chance.randint(1, 7))) for _ in range(4000)]
    texts += [f"{{{{{text}}}}}" for text in texts]
    program = """
        const { Environment } = require(process.argv[1]);
        const [texts, variables] = JSON.parse(require("fs").readFileSync(0, "utf8"));
        const environment = new Environment(null, { autoescape: false });
        const value = (text) => {
            try { return environment.renderString(text, { ...variables }); } catch { return null; }
        };
        console.log(JSON.stringify(texts.map(value)));
    """
    ran = subprocess.run(
        ["node", "-e", program, str(package / "nunjucks")],
        input=json.dumps([texts, VARIABLES]), capture_output=True, check=True, text=True, timeout=60,
    )  # fmt: skip
    values = json.loads(ran.stdout)
    came = {text: outcome(Template(text, VARIABLES, value)) for text, value in zip(texts, values, strict=True)}
    assert [text for text, how in came.items() if how in ("silent", "wrong")] == []
    assert sum(how == "right" for how in came.values()) > 1000


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
            "f(a=1, b=2)",
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
