"""promptfoo's prompts, compared with what promptfoo itself sent."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.formats.data import Table
from sampleui.integrations.named_files import text_of
from sampleui.integrations.promptfoo.grading import graded
from sampleui.prompt.providers import calls
from sampleui.prompt.render import Rendered
from sampleui.review.results.file import open_results
from sampleui.runs.decks import index_of

EXAMPLE = Path(__file__).parents[3] / "examples" / "field" / "promptfoo"
CORPUS = Path(os.environ.get("SAMPLEUI_CORPUS", Path(__file__).parents[4] / "shared" / "corpus")) / "field"


def raw(rendered: Rendered) -> str:
    """Return a prompt as promptfoo records it: a text, or its messages as JSON."""
    chat = rendered.chat_prompt
    if len(chat) == 1 and chat[0]["role"] == "user":
        return str(chat[0]["content"])
    return json.dumps(chat, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the checkout")
def test_what_is_rendered_is_what_promptfoo_sent() -> None:
    rows = json.loads((CORPUS / "promptfoo" / "out.json").read_text("utf-8"))["results"]["results"]
    deck = open_deck(CORPUS / "promptfoo" / "promptfooconfig.yaml")
    shown = [raw(call) for sample in deck.samples for call in calls(deck.render(sample))]
    assert sorted(shown) == sorted(row["prompt"]["raw"] for row in rows)


def test_the_example_is_rendered_as_promptfoo_sent_it() -> None:
    """The prompts are those of promptfoo 0.121.20, run on this very config with its echo provider."""
    sent = json.loads((Path(__file__).with_name("sent.json")).read_text("utf-8"))
    deck = open_deck(EXAMPLE / "promptfooconfig.yaml")
    assert [raw(call) for sample in deck.samples for call in calls(deck.render(sample))] == sent


def written(folder: Path, prompts: str, variables: str) -> list[str]:
    """Return what the one test of a config is rendered to by each of its prompts."""
    (folder / "promptfooconfig.yaml").write_text(
        f"prompts: {prompts}\nproviders: [echo]\ntests:\n  - vars: {variables}\n", "utf-8"
    )
    deck = open_deck(folder / "promptfooconfig.yaml")
    return [raw(call) for call in calls(deck.render(deck.samples[0]))]


def test_values_are_filled_in_as_nunjucks_does(tmp_path: Path) -> None:
    # Each is what promptfoo 0.121.20 sent for the same config with its echo provider.
    prompts = "['A {{name | upper}} B {{ name|trim }} C {{missing}} E {{obj.k}} F {{n}} G {{b}} H {{two}}|']"
    variables = "{name: ' ada ', obj: {k: v}, n: 1.50, b: true, two: \"a\\n\\n\"}"
    assert written(tmp_path, prompts, variables) == ["A  ADA  B ada C  E v F 1.5 G true H a\n|"]


def test_a_file_of_several_prompts_is_parted(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("first {{name}}\n---\nsecond {{name}}\n", "utf-8")
    assert written(tmp_path, "[file://p.txt]", "{name: ada}") == ["first ada", "second ada"]


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("{{ name | batch(2) }}", "what the filter makes of its value is not certain"),
        ("{{ name + name }}", "only plain variables and plain filters are filled in"),
        ("prompt.py:ask", "prompt.py:ask is made into a prompt by promptfoo and is not read"),
        ("portkey://p", "portkey://p is fetched or made by a run and is not shown"),
        ("{% if name %}x{% endif %}", "only plain variables and plain filters are filled in"),
        ("{{obj}}", "has a table, of which [object Object] is sent"),
        ("{{{a: name} }}", "beginning of a table"),
        ("{{ name.length }}", "JavaScript's to say"),
        ("file://../../../etc/passwd.txt", "lies outside the project and is not read"),
        ("file://prompt.py", "prompt.py is made into a prompt by promptfoo and is not read"),
    ],
)
def test_what_is_not_certain_is_left_as_written_and_told(tmp_path: Path, prompt: str, told: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "prompt.py").write_text("")
    written(tmp_path, json.dumps([prompt]), "{name: ada, obj: {k: v}}")
    deck = open_deck(tmp_path / "promptfooconfig.yaml")
    said = [one.message for one in deck.diagnostics if one.rule == "template-unsupported"]
    assert any(told in one for one in said), said
    assert all(one.severity.value == "info" for one in deck.diagnostics if one.rule == "template-unsupported")


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("Write {{to whom}}", "behind a value it has neither an operator nor a filter"),
        ("Write {{ name, other }}", "behind a value it has neither an operator nor a filter"),
        ("Write {{ }}", "nothing is in it"),
        ("Write\n{{/if}}", "no value begins so"),
        ("Write\n{{ name. }}", "a key is missing behind a dot"),
        ("Write {{ name | }}", "the name of a filter is missing"),
        ("Write {{ name | shout }}", "there is no filter shout"),
        ("Write {{ obj | upper }}", "the filter upper fails for what is a table"),
        ("Write {{ name.upper() }}", "name.upper is nothing that can be called"),
        ("Write {{{name}}}", "{ is never closed"),
        ("Write {% if name %}now", "endif is missing"),
        ("Write {% endif %}", "endif begins no block"),
        ("Write {% if name %}{% for x in y %}{% endif %}", "endif begins no block"),
        ("Write {% comment %}x{% endcomment %}", "comment begins no block"),
        ("Write {% %}", "a block has no name"),
    ],
)
def test_a_template_that_nunjucks_refuses_is_an_error(tmp_path: Path, prompt: str, told: str) -> None:
    written(tmp_path, json.dumps([prompt]), "{name: ada, obj: {k: v}}")
    found = open_deck(tmp_path / "promptfooconfig.yaml").diagnostics
    (refused,) = (item.message for item in found if item.severity.value == "error")
    assert told in refused and "Template render error" in refused


@pytest.mark.parametrize(
    "prompt",
    [
        "{{ name if a }}",
        "{{ name and a }}",
        "{{ name == a }}",
        "{{ name != a }}",
        "{{ a? }}",
        "{{ $x }}",
        "{{&x}}",
        "{{ name }} }}",
        "{% raw %}{% endif %}",
        "{% set x = 1 %}",
        "{% if name %}a{% else %}b{% endif %}",
        "{% set x %}a{% endset %}",
        "{% for x in y %}{{ x }}{% else %}b{% endfor %}",
        "{%- if name -%}a{%- endif -%}",
    ],
)
def test_a_template_that_nunjucks_renders_is_no_error(tmp_path: Path, prompt: str) -> None:
    written(tmp_path, json.dumps([f"Write {prompt}"]), "{name: ada}")
    assert {found.severity.value for found in open_deck(tmp_path / "promptfooconfig.yaml").diagnostics} <= {"info"}


def test_each_test_is_edited_in_its_own_file(tmp_path: Path) -> None:
    for name in ("promptfooconfig.yaml", "more.csv", "prompts/chat.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((EXAMPLE / name).read_bytes())
    deck = open_deck(tmp_path / "promptfooconfig.yaml")
    assert [sample.id for sample in deck.samples] == ["capital of France", "#2", "sum", "greeting"]
    config = (tmp_path / "promptfooconfig.yaml").read_bytes()
    deck.set(2, ("__expected2",), "equals: four").save()
    assert (tmp_path / "promptfooconfig.yaml").read_bytes() == config
    assert b"equals: four" in (tmp_path / "more.csv").read_bytes()


AROUND = """
prompts: ['Hi {{name}} {{lang}}']
defaultTest:
  vars: {lang: en}
  options: {prefix: 'PRE ', suffix: ' SUF'}
tests:
  - vars: {name: ada}
  - vars: {name: bob, lang: de}
    options: {prefix: 'own '}
"""
ELSEWHERE = """
prompts: ['Hi {{name}} {{lang}}']
defaultTest: file://def.yaml
tests:
  - vars: {name: ada}
"""
LISTS = """
prompts: ['Hi {{name}} {{lang}}']
tests:
  - vars: {name: [a, b, c], lang: [x, y]}
  - vars: {name: one, lang: []}
  - vars: {name: [1, 2], lang: q}
"""
LISTS_KEPT = """
prompts: ['Hi {{name}} end']
tests:
  - vars: {name: [a, b]}
    options: {disableVarExpansion: true}
"""
ENVIRONMENT = """
prompts: ['Hi {{name}} {{ env.MYVAR }}']
env: {MYVAR: val}
tests:
  - vars: {name: '{{env.MYVAR}}'}
"""
IN_JSON = """
prompts:
  - '[{"role":"user","content":"{{q}}"}]'
  - '{"a": "{{q}}"}'
tests:
  - vars: {q: "l1\\nl2 \\"b\\""}
"""
FILES = """
prompts:
  - file://p.txt
  - file://q.md
  - file://s.yaml
  - p.txt
tests:
  - vars: {name: ada}
"""
CHOSEN = """
prompts:
  - {id: 'A {{name}}', label: pa}
  - {id: 'B {{name}}', label: pb}
tests:
  - vars: {name: ada}
    prompts: [pa]
  - vars: {name: bob}
"""
NESTED = """
prompts: ['{{a}} | {{b}} | {{c.d}} end']
tests:
  - vars: {a: 'x {{b}}', b: 'y {{c.d}}', c: {d: z}}
"""
COLUMNS = """
prompts: ['Hi {{name}}']
tests: file://t.csv
"""


@pytest.mark.parametrize(
    ("config", "sent"),
    [
        (AROUND, ["PRE Hi ada en SUF", "own Hi bob de SUF"]),
        (ELSEWHERE, ["Hi ada fr"]),
        (LISTS, ["Hi a x", "Hi a y", "Hi b x", "Hi b y", "Hi c x", "Hi c y", "Hi one ", "Hi 1,2 q"]),
        (LISTS_KEPT, ["Hi a,b end"]),
        (ENVIRONMENT, ["Hi val val"]),
        (IN_JSON, ['l1\nl2 "b"', '{\n  "a": "l1\\nl2 \\"b\\""\n}']),
        (
            FILES,
            [
                *("one ada", "two ada", "# md ada\n---\nafter\n"),
                '[{"role":"system","content":"S ada"},{"role":"user","content":"ada"}]',
                *("one ada", "two ada"),
            ],
        ),
        (CHOSEN, ["A ada", "A bob", "B bob"]),
        (NESTED, ["x y z | y z | z end"]),
        (COLUMNS, ["PRE Hi ada SUF", "Hi bob"]),
    ],
    ids=lambda one: one.split("\n")[2][:20] if isinstance(one, str) else "",
)
def test_each_run_is_rendered_as_promptfoo_sent_it(tmp_path: Path, config: str, sent: list[str]) -> None:
    # Each is what promptfoo 0.121.20 recorded as `prompt.raw` for the same files with its echo provider.
    for name, text in {
        "promptfooconfig.yaml": f"providers: [echo]{config}",
        "def.yaml": "vars: {lang: fr}\nassert: [{type: contains, value: Hi}]\n",
        "p.txt": "one {{name}}\n---\ntwo {{name}}\n",
        "q.md": "# md {{name}}\n---\nafter\n",
        "s.yaml": "- role: system\n  content: S {{name}}\n- role: user\n  content: '{{name}}'\n",
        "t.csv": 'name,__prefix,__suffix\nada,PRE ," SUF"\nbob,,\n',
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
    deck = open_deck(tmp_path / "promptfooconfig.yaml")
    assert [raw(call) for sample in deck.samples for call in calls(deck.render(sample))] == sent
    assert not [one for one in deck.diagnostics if one.rule == "template-unsupported"]


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ("prompts: ['{{env.HOME}}']\ntests: [{vars: {a: b}}]\n", "the environment is not looked at"),
        ("prompts: ['{{a.length}}']\ntests: [{vars: {a: b}}]\n", "JavaScript's to say"),
        ("prompts: ['{{a}}']\ntests: [{vars: {a: b}, options: {transformVars: x}}]\n", "changed by transformVars"),
        ("prompts: ['{{a}}']\ntests: [{vars: file://v.yaml}]\n", "no variables behind file://v.yaml"),
        (
            "prompts: ['{{a}}']\ndefaultTest: file://../x.yaml\ntests: [{vars: {a: b}}]\n",
            "lies outside the project",
        ),
    ],
)
def test_what_promptfoo_alone_can_say_is_told(tmp_path: Path, config: str, told: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "promptfooconfig.yaml").write_text(f"providers: [echo]\n{config}", "utf-8")
    deck = open_deck(tmp_path / "promptfooconfig.yaml", "promptfoo")
    said = [one.message for one in deck.diagnostics if one.rule == "template-unsupported"]
    assert any(told in one for one in said), said


def test_each_run_of_a_list_has_a_name_of_its_own(tmp_path: Path) -> None:
    prompts = "[{label: ask, raw: 'Hi {{name}}'}]"
    assert written(tmp_path, prompts, "{name: [ada, bob]}") == ["Hi ada", "Hi bob"]
    deck = open_deck(tmp_path / "promptfooconfig.yaml")
    assert [call.label for call in calls(deck.render(deck.samples[0]))] == ["name: ada · ask", "name: bob · ask"]


CHAT = """- role: system
  content: |
    Be brief.
- role: user
  content: '{{q}}'
"""
ATTACKED = """prompts: ['Ask {{q}}', file://p/*.yaml]
redteam: {injectVar: q}
providers: [echo]
tests: [{vars: {q: "{{ 7 * 7 }}\\n", r: x}}]
"""


def test_an_attack_is_put_in_as_it_is_and_texts_keep_their_ends(tmp_path: Path) -> None:
    # As promptfoo 0.121.20 and 0.123.1 sent them.
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "chat.yaml").write_text(CHAT, "utf-8")
    (tmp_path / "c.yaml").write_text(ATTACKED, "utf-8")
    deck = open_deck(tmp_path / "c.yaml")
    first, second = calls(deck.render(deck.samples[0]))
    assert first.chat_prompt == [{"role": "user", "content": "Ask {{ 7 * 7 }}\n"}]
    assert [one["content"] for one in second.chat_prompt] == ["Be brief.\n", "{{ 7 * 7 }}\n"]


def test_prompts_may_be_a_table_of_labels_and_tests_a_programs_to_make(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("prompts: {'Hi {{q}}': short}\ntargets: [echo]\nredteam: {plugins: [x]}\n")
    deck = open_deck(tmp_path / "c.yaml")
    assert (deck.dialect, [one.rule for one in deck.diagnostics]) == ("promptfoo", ["samples-elsewhere"])
    (tmp_path / "c.yaml").write_text("prompts: {'Hi {{q}}': short}\nproviders: [echo]\ntests: [{vars: {q: a}}]\n")
    deck = open_deck(tmp_path / "c.yaml")
    assert [(one.label, one.question) for one in calls(deck.render(deck.samples[0]))] == [("short", "Hi a")]


def test_the_default_test_of_another_file_holds_wherever_tests_are_read(tmp_path: Path) -> None:
    (tmp_path / "d.yaml").write_text("vars: {lang: en}\nassert: [{type: contains, value: yes}]\n")
    (tmp_path / "c.yaml").write_text(ELSEWHERE.replace("def.yaml", "d.yaml"))
    sample = open_deck(tmp_path / "c.yaml").samples[0]
    assert [one.text for one in graded(sample.data, sample.context, "no")] == ["contains 'yes'"]
    row = {"vars": {"name": "ada", "lang": "en"}, "promptIdx": 0, "success": True}
    (tmp_path / "out.jsonl").write_text(json.dumps(row) + "\n")
    (entry,) = open_results(tmp_path / "out.jsonl").indexed().entries
    assert index_of([sample]).find(entry) == 0


def test_a_path_that_stands_for_several_files_is_not_read_and_told() -> None:
    notes: list[str] = []
    assert text_of("a*.txt", pytest.fail, notes) is None
    assert notes == ["a*.txt stands for several files, which are not read"]


def test_yaml_is_filled_in_as_json_and_a_table_of_prompts_is_read(tmp_path: Path) -> None:
    # As promptfoo 0.123.1 sent them; the last line of the table is blank there too.
    for name, text in {
        "c.yaml": "prompts: [many.csv, lines.csv, none.csv]\nproviders: [echo]\n"
        "tests: [{vars: {d: file://d.yaml, l: file://l.yml}}]\n",
        "many.csv": 'prompt,label\n"Data, {{d}}",with data\n{{l}},\n\n',
        "lines.csv": "prompt\nplain {{l}}\n",
        "none.csv": "text,label\na,b\n",
        "d.yaml": "a: 1\nb: [x, 'y\"']\n",
        "l.yml": "- 1\n- {k: v}\n",
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
    deck = open_deck(tmp_path / "c.yaml")
    found = calls(deck.render(deck.samples[0]))
    assert [(one.label, one.question) for one in found[:3]] == [
        ("with data", 'Data, {"a":1,"b":["x","y\\""]}'),
        ("many.csv 2", '[1,{"k":"v"}]'),
        ("lines.csv 1", 'plain [1,{"k":"v"}]'),
    ]
    assert "promptfoo finds no prompt in none.csv and runs nothing of this config" in [
        one.message for one in deck.diagnostics
    ]


@pytest.mark.parametrize(("count", "told"), [(24, 0), (25, 1)])
def test_so_many_runs_of_a_test_are_shown_and_others_are_told_of(tmp_path: Path, count: int, told: int) -> None:
    config = tmp_path / "promptfooconfig.yaml"
    texts = [f"v{at}" for at in range(count)]
    config.write_text(f"prompts: ['{{{{x}}}}']\nproviders: [echo]\ntests: [{{vars: {{x: {texts}}}}}]\n")
    deck = open_deck(config)
    rendered = deck.render(deck.samples[0])
    assert [one.label for one in calls(rendered)][-1].startswith("x: v23")
    assert sum("runs this test 25 times" in str(one) for one in rendered.diagnostics) == told


def test_a_config_without_tests_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("prompts: [Just this]\nproviders: [echo]\n")
    deck = open_deck(tmp_path / "c.yaml")
    assert (deck.dialect, [(one.rule, one.severity.value) for one in deck.diagnostics]) == (
        "promptfoo",
        [("samples-missing", "info")],
    )


@pytest.mark.parametrize(
    ("prompt", "taken"),
    [
        ("and/or {{q}}", True),
        ("Say {{k.a}}", True),
        ("a\\b {{q}}", True),
        ("1/2 (x) {{q}}", True),
        ("What? a/b {{q}}", False),
        ("ends in a.b", False),
        ("and/or\n{{q}}", False),
    ],
)
def test_a_prompt_is_told_of_that_promptfoo_takes_for_a_path(tmp_path: Path, prompt: str, taken: bool) -> None:
    """promptfoo 0.123.1 ran none of those that are taken for one, and all others."""
    config = {"prompts": [prompt], "providers": ["echo"], "tests": [{"vars": {"q": "x", "k": {"a": "y"}}}]}
    (tmp_path / "promptfooconfig.json").write_text(json.dumps(config))
    said = [one.message for one in open_deck(tmp_path / "promptfooconfig.json").diagnostics]
    ends = "where alone promptfoo looks for it, and runs nothing of this config; a line break in it makes it a text"
    assert said == [f"{prompt} does not exist beside the config, {ends}"] * taken


NAMED = """prompts: [{raw: 'A {{q}}', label: 'g:one'}, {raw: 'B {{q}}', label: two, id: second}]
providers: [echo]
tests:
  - {vars: {q: x}, prompts: [g, second]}
  - {vars: {q: x}, prompts: ['g:*', third]}
  - {vars: {q: x}, prompts: [third]}
  - {vars: {q: x}, prompts: []}
  - {vars: {q: x}}
"""


def test_a_prompt_that_a_test_names_and_nobody_has_is_told(tmp_path: Path) -> None:
    (tmp_path / "promptfooconfig.yaml").write_text(NAMED)
    deck = open_deck(tmp_path / "promptfooconfig.yaml")
    found = [(one.message, one.line, one.column) for one in deck.diagnostics if one.rule == "prompt-unknown"]
    said = 'no prompt is called "third": promptfoo refuses such a test, or leaves it out'
    assert found == [
        (said, 5, 37),
        (said, 6, 30),
        ("no prompt is meant for this test, so it does not run", 7, 29),
    ]
    asked = [[one.label for one in (first, *first.others)] for first in map(deck.render, deck.samples)]
    assert asked == [["g:one", "two"], ["g:one"], [""], [""], ["g:one", "two"]]
    made = NAMED.replace("{raw: 'B {{q}}', label: two, id: second}", "file://made.py")
    (tmp_path / "promptfooconfig.yaml").write_text(made)
    again = open_deck(tmp_path / "promptfooconfig.yaml").diagnostics
    assert not [one for one in again if one.rule == "prompt-unknown"]


def test_every_column_of_a_table_is_a_variable_whatever_it_is_called(tmp_path: Path) -> None:
    prompt = '"{{q}} {{description}} {{metadata}}\\n{{threshold}} {{vars.n}}"'
    (tmp_path / "promptfooconfig.yaml").write_text(f"prompts: [{prompt}]\nproviders: [echo]\ntests: t.csv\n")
    (tmp_path / "t.csv").write_text("q,description,metadata,threshold,vars.n,__expectd\nwhat,long,some,high,5,x\n")
    deck = open_deck(tmp_path / "promptfooconfig.yaml")
    assert deck.render(deck.samples[0]).question == "what long some\nhigh"  # as promptfoo 0.123.1 sends it
    found = [(one.rule, one.message) for one in deck.diagnostics if one.rule != "template-unsupported"]
    assert found == [("unknown-key", 'Unknown key "__expectd"; did you mean "__expected"?')]


def test_tests_in_a_file_without_prompts_show_the_messages_that_they_hold(tmp_path: Path) -> None:
    path = tmp_path / "tests.yaml"
    path.write_text("- vars: {messages: [{role: user, content: Hi}]}\n  assert: [{type: equals, value: x}]\n")
    deck = open_deck(path)
    assert deck.dialect == "promptfoo"
    assert deck.render(deck.samples[0]).chat_prompt == [{"role": "user", "content": "Hi"}]


@pytest.mark.parametrize(
    ("prompt", "variables", "sent"),
    [
        ("'{{q}}'", "{q: ''}", [{"role": "user", "content": ""}]),
        ("'{{q}}'", "{other: x}", [{"role": "user", "content": ""}]),
        (
            """'[{"role": "system", "content": "{{q}}"}, {"role": "user", "content": "{{r}}"}]'""",
            "{q: '', r: hi}",
            [{"role": "system", "content": ""}, {"role": "user", "content": "hi"}],
        ),
    ],
)
def test_what_is_empty_is_sent_as_promptfoo_sends_it(
    tmp_path: Path, prompt: str, variables: str, sent: list[Table]
) -> None:
    config = f"prompts: [{prompt}]\nproviders: [echo]\ntests:\n- vars: {variables}\n"
    (tmp_path / "promptfooconfig.yaml").write_text(config, "utf-8")
    deck = open_deck(tmp_path / "promptfooconfig.yaml")
    assert deck.render(deck.samples[0]).chat_prompt == sent
    told = {one.rule for one in deck.diagnostics}
    assert "message-dropped" not in told and ("prompt-empty" in told) is (len(sent) == 1)


CONFIG = "prompts: {prompts}\nproviders: [echo]\ntests:\n  - vars: {variables}\n  - vars: {{place: Rome}}\n"


@pytest.mark.parametrize(
    ("prompt", "elsewhere"),
    [
        ("file://prompts/ask.txt", "; it is at ../prompts/ask.txt"),
        ("prompts/ask.txt", "; it is at ../prompts/ask.txt"),
        ("file://../evals/prompts/ask.txt", ""),
        ("file://gone.txt", ""),
        ("file://gone.py:ask", ""),
        ("gone.json", ""),
    ],
)
def test_a_prompt_that_is_not_beside_its_config_is_one_error_at_its_place(
    tmp_path: Path, prompt: str, elsewhere: str
) -> None:
    """promptfoo 0.121.20 and 0.123.1 end with ENOENT, wherever else in the project a file of that name is."""
    for folder in (".git", "prompts", "evals"):
        (tmp_path / folder).mkdir()
    (tmp_path / "prompts" / "ask.txt").write_text("Root: {{place}}")
    config = tmp_path / "evals" / "promptfooconfig.yaml"
    config.write_text(CONFIG.format(prompts=json.dumps(["Fine", prompt]), variables="{place: Lyon}"))
    deck = open_deck(config)
    (found,) = deck.diagnostics
    assert (found.rule, found.severity.value, found.line, found.sample) == ("file-not-found", "error", 1, None)
    assert "does not exist beside the config" in found.message
    assert found.message.endswith(elsewhere) and ("it is at" in found.message) is bool(elsewhere)
    assert [raw(call) for call in calls(deck.render(deck.samples[0]))] == ["Fine", "[]"]


def test_a_variable_whose_file_is_not_beside_the_config_is_an_error_of_its_test(tmp_path: Path) -> None:
    for folder in (".git", "evals"):
        (tmp_path / folder).mkdir()
    (tmp_path / "place.txt").write_text("Lyon")
    config = tmp_path / "evals" / "promptfooconfig.yaml"
    config.write_text(CONFIG.format(prompts="['{{place}}']", variables="{place: file://place.txt}"))
    (found,) = open_deck(config).diagnostics
    assert (found.rule, found.severity.value, found.line) == ("file-not-found", "error", 4)
    assert found.message.endswith("; it is at ../place.txt")


def test_a_glob_of_prompts_without_a_file_is_sent_as_it_is_written(tmp_path: Path) -> None:
    """promptfoo 0.123.1 sent the words of the glob."""
    assert written(tmp_path, "['p/*.txt']", "{name: ada}") == ["p/*.txt"]
    (found,) = open_deck(tmp_path / "promptfooconfig.yaml").diagnostics
    assert (found.severity.value, found.message) == (
        "warning",
        "no file matches p/*.txt: promptfoo sends the path itself",
    )


@pytest.mark.parametrize("begin", ["providers: [echo]\n", "targets: [echo]\n", "providers: [echo]\nprompts:\n"])
def test_a_config_without_prompts_sends_the_variable_of_that_name(tmp_path: Path, begin: str) -> None:
    config = tmp_path / "promptfooconfig.yaml"
    config.write_text(f"{begin}defaultTest: {{}}\ntests:\n  - vars: {{prompt: Name a lake.}}\n")
    deck = open_deck(config)
    assert [raw(call) for call in calls(deck.render(deck.samples[0]))] == ["Name a lake."]


def test_what_is_told_of_prompts_is_told_once_and_not_for_each_test(tmp_path: Path) -> None:
    config = tmp_path / "promptfooconfig.yaml"
    config.write_text(
        CONFIG.format(prompts="['portkey://p']", variables="{place: Lyon}") + "extensions: [file://e.js]\n"
    )
    deck = open_deck(config)
    assert [(found.line, found.sample) for found in deck.diagnostics] == [(1, None), (6, None)]


@pytest.mark.parametrize(
    ("variables", "sent"),
    [
        ("{name: 'hi {{who}}', who: [x1, x2]}", "hi x1,x2"),
        ("{name: 'hi {{who}}', who: [{k: v}, [1, null], 2]}", "hi [object Object],1,,2"),
        ("{name: 'hi {{who}}', who: {k: v}}", "hi [object Object]"),
        ("{name: [x1, {k: v}]}", "x1,[object Object]"),
    ],
)
def test_lists_and_tables_are_filled_in_as_javascript_writes_them(
    tmp_path: Path, variables: str, sent: str
) -> None:
    """What promptfoo 0.121.20 and 0.123.1 sent; nothing of it is called left as written."""
    tests = f"{variables}\n    options: {{disableVarExpansion: true}}"
    assert written(tmp_path, "['{{name}}']", tests) == [sent]
    told = [found.message for found in open_deck(tmp_path / "promptfooconfig.yaml").diagnostics]
    assert not [message for message in told if "left as written" in message]
    assert bool(told) is ("object" in sent)


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("defaultTest", "file://gone.yaml", 5),
        ("targets", "[file://gone.js]", 5),
        ("targets", "[{id: 'file://gone.py:ask', label: x}]", 5),
        ("defaultTest", "{options: {transform: file://gone.js}}", 5),
        ("defaultTest", "{assert: [{type: contains, value: x, transform: 'file://gone.js:fn'}]}", 5),
    ],
)
def test_a_file_that_a_run_does_not_find_is_an_error_wherever_it_is_named(
    tmp_path: Path, key: str, value: str, line: int
) -> None:
    """promptfoo 0.123.1 ran nothing, or ended the tests with ENOENT."""
    config = tmp_path / "promptfooconfig.yaml"
    config.write_text(f"prompts: ['{{{{q}}}}']\ntests:\n  - vars: {{q: x}}\n  - vars: {{q: y}}\n{key}: {value}\n")
    errors = [
        (item.rule, item.line) for item in open_deck(config, "promptfoo").diagnostics if item.severity == "error"
    ]
    assert errors == [("file-not-found", line)]
    for name in ("gone.yaml", "gone.js", "gone.py"):
        (tmp_path / name).write_text("{}")
    assert [item for item in open_deck(config, "promptfoo").diagnostics if item.severity == "error"] == []
