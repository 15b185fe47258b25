# ruff: noqa: E501 (a table)
"""What the documentation promises about safety, each with the test that breaks when it is broken."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROMISES = [
    ("docs/formats.md", "stays as it is, byte for byte", "formats/test_invariants_yaml.py::test_every_edit_keeps_the_rest"),
    ("docs/formats.md", "neighbours have theirs", "formats/test_strict.py::test_the_seams_of_pieces_are_proved"),
    ("docs/formats.md", "compared once more", "deck/test_save.py::test_the_proof_refuses_a_text_that_does_not_read_back"),
    ("docs/formats.md", "is not written over", "deck/test_save.py::test_a_file_that_changed_on_disk_is_not_overwritten"),
    ("docs/formats.md", "one that cannot be read get one line", "deck/test_load.py::test_a_pipe_is_not_waited_for"),
    ("docs/formats.md", "belongs to its sample and moves with it", "formats/test_toml_edits.py::test_blocks_move_with_their_comments_and_tables"),
    ("docs/formats.md", "would take it for something else", "torture/test_edits.py::test_what_edits_accept_is_saved_and_read_by_every_reader"),
    ("docs/formats.md", "spoils no other", "formats/test_jsonl.py::test_a_broken_line_is_a_sample_that_cannot_be_read_and_spoils_no_other"),
    ("docs/formats.md", "never out of the project", "deck/test_load.py::test_a_link_that_leads_out_of_the_project_is_not_followed"),
    ("docs/formats.md", "An edit that is refused changes nothing", "torture/test_edits.py::test_what_edits_accept_is_saved_and_read_by_every_reader"),
    ("docs/formats.md", "a value behind a YAML alias", "tui/test_forms.py::test_what_an_alias_holds_is_refused_with_the_reason"),
    ("docs/formats.md", "a YAML anchor that is used elsewhere", "formats/test_yaml_edits.py::test_edits_that_other_text_depends_on_are_refused_with_the_reason"),
    ("docs/formats.md", "a value below a key that is given twice", "formats/test_yaml_edits.py::test_edits_under_a_key_given_twice_are_refused_and_others_are_not"),
    ("docs/formats.md", "a YAML value with a tag of its own", "formats/test_yaml_edits.py::test_values_with_tags_of_their_own_are_refused_and_core_tags_kept"),
    ("docs/formats.md", "null in TOML", "formats/test_toml_edits.py::test_null_is_refused_with_the_reason"),
    ("docs/formats.md", "reports every field that did not simply move", "sample/test_convert.py::test_every_value_is_in_the_result_or_its_field_in_the_report"),
    ("docs/formats.md", "what only the text says", "cli/test_convert.py::test_what_only_the_text_says_is_reported"),
    ("docs/formats.md", "not even whether it exists", "text/test_confined.py::test_a_refusal_does_not_tell_what_is_outside"),
    ("docs/authoring.md", "no other sample may change", "formats/test_rewriting.py::test_an_anchor_that_another_sample_uses_is_not_changed_under_it"),
    ("docs/authoring.md", "offers the text again as it was written", "tui/test_author_source.py::test_a_refused_source_is_offered_again_and_not_lost"),
    ("docs/authoring.md", "is kept in the file that is named", "tui/test_author_source.py::test_a_refused_source_is_kept_in_its_file"),
    ("docs/python.md", "a file is replaced whole or not at all", "torture/test_faults.py::test_no_fault_of_the_system_breaks_a_promise"),
    ("docs/python.md", "the message names what is saved then", "deck/test_save.py::test_the_message_names_the_files_that_were_replaced_before_one_could_not_be"),
    ("docs/python.md", "returns what could not be kept", "deck/test_save.py::test_an_owner_that_cannot_be_kept_is_said_and_does_not_stop_the_save"),
    ("docs/reviewing.md", "Run files are never written", "cli/test_promises.py::test_no_command_writes_into_the_files_of_a_run"),
    ("docs/reviewing.md", "a crash loses none", "review/test_processes.py::test_no_decision_shown_as_recorded_is_lost_to_twenty_kills"),
    ("docs/reviewing.md", "Two reviewers can work at once", "review/test_processes.py::test_two_writers_at_once_lose_and_mix_nothing"),
    ("docs/reviewing.md", "merge=union", "review/test_processes.py::test_the_logs_of_two_reviewers_merge_with_git"),
    ("docs/settings.md", "anything else in it is told once and left", "settings/test_options.py::test_what_is_a_person_s_own_is_left_of_a_project_and_told"),
    ("docs/settings.md", "whose comments and other settings stay", "torture/test_faults.py::test_no_fault_of_the_system_breaks_a_promise"),
    ("docs/settings.md", "until saved, restored or discarded", "tui/test_terminal.py::test_two_killed_sessions_of_a_deck_are_both_offered_until_discarded"),
    ("docs/reviewing.md", "written at once and merged as verdicts are", "review/test_notes.py::test_logs_with_notes_merge_in_any_order_and_lose_nothing"),
    ("docs/traces.md", "must lie in the project of the results file", "trace/test_extract.py::test_a_trace_outside_the_root_is_not_read"),
    ("README.md", "the decision is on the disk before the queue moves on", "review/test_logfile.py::test_each_decision_is_on_the_disk_before_append_returns"),
    ("README.md", "after a crash they are offered again", "tui/test_author_saving.py::test_the_edits_of_a_session_that_died_are_offered_and_restored"),
    ("README.md", "No command prints a control character of a deck to a terminal", "cli/test_hostile.py::test_no_command_lets_a_control_character_through"),
    ("CHANGELOG.md", "Saves are atomic", "deck/test_save.py::test_whoever_reads_a_file_while_it_is_saved_has_the_old_text_whole"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "words", "test"), PROMISES)
def test_a_promise_stands_in_its_document_and_has_its_test(document, words, test):
    assert words in " ".join((ROOT / document).read_text(encoding="utf-8").split())
    file, _, name = test.partition("::")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert name in names


def test_no_command_writes_into_the_files_of_a_run(sampleui, tmp_path):
    run, deck = tmp_path / "run", tmp_path / "deck.yaml"
    run.mkdir()
    row = {"test_id": "a", "score": 0.1, "candidate_answer": "x"}
    (run / "index.jsonl").write_text(json.dumps(row) + "\n" + '{"cut off": ')
    deck.write_text("tests:\n- id: a\n  input: hi\n  criteria: good\n  assert: [{type: contains, value: y}]\n")
    before = {path: path.read_bytes() for path in (run / "index.jsonl", deck)}
    commands = [
        ["next", run],
        ["verdict", run, "a", "ok", "--deck", deck],
        ["report", run],
        ["regrade", run, "--deck", deck],
        ["trace", run, "--format", "text"],
        ["promote", run, "--id", "a", "--to", tmp_path / "promoted.yaml", "--deck", deck],
        ["export", run, "--verdict", "ok", "--to", tmp_path / "exported.yaml", "--deck", deck],
    ]
    for command in commands:
        sampleui(*command)
        assert {path: path.read_bytes() for path in before} == before, command
        assert [path.name for path in run.iterdir()] == ["index.jsonl"], command
    assert (tmp_path / "run.reviews.jsonl").exists() and (tmp_path / "exported.yaml").exists()
