"""`sampleui rerun`: what is shown before anything runs, what counts afterwards, and that nothing stays."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import venv
from itertools import count
from pathlib import Path

import pytest

from sampleui.review.results.rerun_files import rerun_in
from sampleui.review.results.run_paths import index_of
from sampleui.runs.rerun import engine, process
from sampleui.runs.rerun.program import Executable, NotFound, find_executable
from sampleui.runs.rerun.trust import TRUSTED

from .rerunning import ODD, Project, processes_with, working_in


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


def test_nothing_runs_before_it_was_shown_and_agreed_to(sampleui, project):
    ran = sampleui("rerun", project.results, "--id", "sum")
    assert ran.code == 2
    assert project.started is None
    assert "--yes agrees" in ran.err
    for shown in (project.program, "./promptfooconfig.yaml", "--repeat 1", "PROMPTFOO_CONFIG_DIR="):
        assert str(shown) in ran.err


def test_a_program_is_told_what_would_be_called(sampleui, project):
    told = json.loads(sampleui("rerun", project.results, "--failed", "--format", "json").out)
    (call,) = told["calls"]
    assert (told["started"], told["refused"], project.started) == (False, [], None)
    assert call["arguments"][:2] == [str(project.program), "eval"]
    assert f"folder: {project.root}" in call["shown"]
    refused = json.loads(sampleui("rerun", project.results, "--id", "right", "--format", "json", "--yes").out)
    assert [item["id"] for item in refused["refused"]] == ["right"]


def test_what_scenarios_make_is_cut_off_behind_the_tests_that_are_chosen(sampleui, project):
    """promptfoo puts the tests of scenarios behind those of `-t`, and its range counts both then."""
    config = project.root / "promptfooconfig.yaml"
    scenarios = "scenarios: [{config: [{vars: {l: de}}], tests: [{vars: {q: x}}]}]\n"
    assert sampleui("rerun", project.results, "--id", "sum", "--yes").code == 0
    assert project.started is not None and "--filter-range" not in project.started[0]
    config.write_text(config.read_text() + scenarios)
    assert sampleui("rerun", project.results, "--failed", "--n", "3", "--yes").code == 0
    arguments = project.started[0]
    assert arguments[arguments.index("--filter-range") + 1] == "0:2"


def test_yes_agrees_to_one_command_and_keeps_nothing(sampleui, project, home):
    assert sampleui("rerun", project.results, "--id", "sum", "--yes").code == 0
    assert sampleui("rerun", project.results, "--id", "sum").code == 2
    assert sampleui("trust").out == ""


def test_a_folder_that_is_always_trusted_is_asked_about_no_more_listed_and_taken_back(sampleui, project, home):
    TRUSTED.add(project.root, always=True)
    assert not [*project.root.rglob("trusted.json")]
    (project.root / "promptfooconfig.yaml").write_text(
        (project.root / "promptfooconfig.yaml").read_text() + "extensions: [file://hook.js:before]\n"
    )
    ran = sampleui("rerun", project.results, "--failed", "--n", "2")
    assert ran.code == 0
    assert "arguments:" not in ran.err
    assert sampleui("trust").out == f"{project.root}\n"
    assert sampleui("trust", "--remove", project.root).code == 0
    assert sampleui("trust").out == ""
    assert sampleui("trust", "--remove", project.root).code == 1
    assert sampleui("rerun", project.results, "--failed").code == 2


def test_what_is_below_a_trusted_folder_is_a_project_of_its_own(sampleui, project, home):
    inner = Project(project.root / "vendor")
    TRUSTED.add(project.root)
    assert sampleui("rerun", inner.results, "--id", "sum").code == 2
    assert inner.started is None


def test_it_says_what_is_known_and_that_the_projects_code_runs_whatever_it_loads(sampleui, project):
    ran = sampleui("rerun", project.results, "--failed")
    assert f"program: {project.program}, found in the project\n" in ran.err
    assert "calls: 1" in ran.err
    assert f"The code in {project.root} runs with your rights, whatever it loads" in ran.err


@pytest.mark.parametrize("what", ["config", "variables"])
def test_what_a_link_leads_to_outside_of_the_folder_is_refused_with_its_path(sampleui, project, tmp_path, what):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    config = project.root / "promptfooconfig.yaml"
    if what == "variables":
        (elsewhere / "others").write_text("X=1\n")
        (project.root / ".env").symlink_to(elsewhere / "others")
    else:
        config.rename(elsewhere / "promptfooconfig.yaml")
        config.symlink_to(elsewhere / "promptfooconfig.yaml")
    ran = sampleui("rerun", project.results, "--id", "sum", "--deck", config, "--yes")
    assert ran.code == 2, ran.err
    assert str(elsewhere) in ran.err
    assert project.started is None


@pytest.mark.parametrize(
    "named",
    [
        'providers: ["file://../elsewhere/p.js"]',
        'providers: ["exec:../elsewhere/p.js --fast"]',
        'providers: ["python:{}/p.js:call"]',
        'extensions: ["file://hook.js:before"]',
        "prompts: ['file://{}/p.js']",
        "defaultTest: {{assert: [{{type: javascript, value: 'file://../elsewhere/p.js'}}]}}",
    ],
)
def test_a_program_that_a_config_names_outside_of_the_folder_is_refused_with_its_path(
    sampleui, project, tmp_path, named
):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "p.js").write_text("")
    (project.root / "hook.js").symlink_to(elsewhere / "p.js")
    config = project.root / "promptfooconfig.yaml"
    key = named.partition(":")[0]
    lines = config.read_text().replace("  - {id: exec:model, label: good}\n", "").splitlines()
    kept = [line for line in lines if not line.startswith((f"{key}:", "providers:"))]
    providers = [] if key == "providers" else ["providers: [{id: exec:model, label: good}]"]
    config.write_text("\n".join([named.format(elsewhere), *providers, *kept]))
    ran = sampleui("rerun", project.results, "--id", "sum", "--deck", config, "--yes")
    assert (ran.code, project.started) == (2, None), ran.err
    assert str(elsewhere / "p.js") in ran.err


def test_what_a_test_asks_about_and_a_program_on_ones_path_are_no_programs_outside(sampleui, project):
    config = project.root / "promptfooconfig.yaml"
    text = config.read_text().replace("exec:model", "exec:/bin/sh model.sh")
    config.write_text(text.replace("question: odd", "question: odd, other: 'file:///etc/hostname'"))
    assert sampleui("rerun", project.results, "--id", "sum", "--yes").code == 0


def test_a_link_that_is_put_in_place_between_showing_and_starting_starts_nothing(
    sampleui, project, tmp_path, monkeypatch
):
    config = project.root / "promptfooconfig.yaml"

    def swapped(*_, **__) -> bool:
        config.rename(tmp_path / "other.yaml")
        config.symlink_to(tmp_path / "other.yaml")
        return True

    monkeypatch.setattr("sampleui.cli.rerun.is_agreed_to", swapped)
    ran = sampleui("rerun", project.results, "--id", "sum")
    assert ran.code == 2
    assert "what was shown has changed; nothing was started" in ran.err
    assert project.started is None


def test_neither_a_home_nor_the_folder_of_temporary_files_is_a_project(sampleui, project, monkeypatch):
    (project.root / ".git").rmdir()
    for variable in ("HOME", "TMPDIR"):
        with monkeypatch.context() as patched:
            patched.setenv(variable, str(project.root))
            patched.setattr("tempfile.tempdir", None)
            ran = sampleui("rerun", project.results, "--id", "sum", "--yes")
            assert ran.code == 2
            assert f"{project.root} is no project" in ran.err
    monkeypatch.setattr("tempfile.tempdir", None)
    assert project.started is None


def test_a_sample_that_was_fixed_is_run_as_it_is_now(sampleui, project):
    project.mode("fail")
    config = project.root / "promptfooconfig.yaml"
    config.write_text(config.read_text().replace('value: "8"', 'value: "9"', 1))
    ran = sampleui("rerun", project.results, "--id", "sum", "--yes")
    assert ran.code == 0
    assert "sum: 1 of 1 passes now; before: failed" in ran.out
    assert "the sample expects something else than it did" in ran.out


def test_what_a_project_says_of_reruns_is_told_and_left(sampleui, project, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    (project.root / ".sampleui.toml").write_text('rerun_environment = ["OPENAI_API_KEY"]\nkeep_reruns = "state"\n')
    ran = sampleui("rerun", project.results, "--id", "sum", "--yes")
    assert ran.err.count("rerun_environment and keep_reruns can only be set in your own settings") == 1
    assert "OPENAI_API_KEY" not in project.started[1]
    assert (project.root / "run.reruns").exists()


def test_a_program_gets_no_keys_unless_the_users_settings_name_them(sampleui, project, home, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("PATH", f"node_modules/.bin:{os.environ['PATH']}")
    assert sampleui("rerun", project.results, "--id", "sum", "--yes").code == 0
    _, environment, folder = project.started
    assert folder == str(project.root)
    assert "OPENAI_API_KEY" not in environment
    assert environment["PROMPTFOO_FAILED_TEST_EXIT_CODE"] == "100"
    assert not environment["PATH"].startswith("node_modules")
    (home / "sampleui").mkdir(parents=True, exist_ok=True)
    (home / "sampleui" / "config.toml").write_text('rerun_environment = ["OPENAI_API_KEY"]\n')
    ran = sampleui("rerun", project.results, "--id", "sum")
    assert ran.code == 2
    assert "OPENAI_API_KEY" in ran.err
    assert "sk-secret" not in ran.err
    assert sampleui("rerun", project.results, "--id", "sum", "--yes").code == 0
    assert project.started[1]["OPENAI_API_KEY"] == "sk-secret"


def test_answers_that_differ_are_told_and_the_run_is_never_written(sampleui, project):
    project.mode("mixed")
    before = project.results.read_bytes()
    ran = sampleui("rerun", project.results, "--id", "sum", "--n", "3", "--yes", "--format", "json")
    assert ran.code == 1
    (record,) = json.loads(ran.out)["records"]
    assert record["passed"] == 2
    assert [answer["outcome"] for answer in record["answers"]] == ["passed", "failed", "passed"]
    assert record["before"]["outcome"] == "failed"
    assert project.results.read_bytes() == before


def test_what_is_kept_says_what_it_repeats_and_opens_as_any_run(sampleui, project):
    sampleui("rerun", project.results, "--failed", "--n", "2", "--yes")
    (kept,) = (project.root / "run.reruns").iterdir()
    said = json.loads((kept / "rerun.json").read_text())
    assert said["run"] == "run.json"
    assert [record["id"] for record in said["records"]] == ["sum", ODD]
    assert [len(record["answers"]) for record in said["records"]] == [2, 2]
    for path in (kept, kept / "results.json"):
        report = sampleui("report", path)
        assert report.code == 0
        assert "4 passed" in report.out
        assert "Rerun of run.json#sum" in report.out


def test_a_report_counts_reruns_as_attempts_if_asked_to_and_says_so(sampleui, project):
    project.mode("mixed")
    sampleui("rerun", project.results, "--id", "sum", "--n", "3", "--yes")
    plain = json.loads(sampleui("report", project.results, "--format", "json").out)
    ran = sampleui("report", project.results, "--reruns")
    assert "6 records: 3 passed, 3 failed" in ran.out
    assert "3 answers of samples that were run again counted as attempts" in ran.out
    assert "1 sample unstable" in ran.out
    again = json.loads(sampleui("report", project.results, "--reruns", "--format", "json").out)
    assert (plain["run"]["records"], again["run"]["records"]) == (3, 6)
    assert sampleui("report", project.results, "--reruns", "--records", "all", "--format", "markdown").code == 0


def test_a_report_leaves_reruns_of_a_changed_sample_out_and_says_so(sampleui, project):
    config = project.root / "promptfooconfig.yaml"
    config.write_text(config.read_text().replace('value: "8"', 'value: "9"', 1))
    project.mode("fail")
    assert sampleui("rerun", project.results, "--id", "sum", "--yes").code == 0
    ran = sampleui("report", project.results, "--reruns")
    assert "3 records" in ran.out
    assert "1 answer left out of reruns whose sample asks or expects something else" in ran.err


def test_the_latest_run_of_a_folder_is_no_rerun_of_it(tmp_path):
    for name in ("one", "one.reruns/20261127T112233-123Z-1"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "index.jsonl").write_text("{}\n")
    assert index_of(tmp_path) == tmp_path / "one" / "index.jsonl"
    assert index_of(tmp_path / "one.reruns").parent.name == "20261127T112233-123Z-1"


@pytest.mark.parametrize(
    "value",
    [{"answers": ["../../secret.jsonl"]}, {"answers": []}, {"answers": ["gone.json"]}, {"answers": 3}, [], "x"],
)
def test_what_a_stranger_says_of_a_rerun_leads_nowhere(tmp_path, value):
    (tmp_path / "x").mkdir()
    (tmp_path / "secret.jsonl").write_text("{}\n")
    (tmp_path / "x" / "rerun.json").write_text(json.dumps(value))
    assert rerun_in(tmp_path / "x") is None


def test_ids_are_data_whatever_they_hold(sampleui, project):
    ran = sampleui("rerun", project.results, "--id", ODD, "--n", "2", "--yes")
    assert ran.code == 0
    assert not any("odd" in argument for argument in project.started[0])


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("fewer", "asked for 3, found 2"),
        ("more", "asked for 3, found 4"),
        ("stranger", "asked for 3, found 0, and 3 answers to something else"),
        ("nothing", "asked for 3, found 0"),
        ("garbage", "what it wrote cannot be read"),
    ],
)
def test_answers_that_are_not_exactly_what_was_asked_for_are_joined_with_nothing(sampleui, project, mode, said):
    project.mode(mode)
    ran = sampleui("rerun", project.results, "--id", "sum", "--n", "3", "--yes", "--format", "json")
    assert ran.code == 2
    (record,) = json.loads(ran.out)["records"]
    assert record["answers"] == []
    assert record["passed"] is None
    assert said in record["problem"]


def test_of_a_program_that_wrote_no_answer_it_is_told_how_it_ended(sampleui, project):
    project.mode("nothing")
    ran = sampleui("rerun", project.results, "--id", "sum", "--yes")
    assert "the program: ended with exit code 3; it printed nothing" in ran.err


def test_twenty_megabytes_of_output_are_read_and_not_kept(sampleui, project):
    project.mode("shout 20000")
    ran = sampleui("rerun", project.results, "--id", "sum", "--yes")
    assert ran.code == 0
    assert len(ran.out) < 10_000


def test_a_program_that_is_not_there_or_cannot_be_started_is_said_in_words(sampleui, project, monkeypatch):
    project.program.unlink()
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    ran = sampleui("rerun", project.results, "--id", "sum", "--yes")
    assert ran.code == 2
    assert "there is no promptfoo, neither in the project nor on PATH" in ran.err
    project.write_program("#!/nowhere/python\n")
    ran = sampleui("rerun", project.results, "--id", "sum", "--yes")
    assert ran.code == 2
    assert "it could not be started" in ran.err


def test_a_program_of_the_project_that_leads_out_of_it_is_not_run(project, tmp_path):
    (tmp_path / "evil").write_text("#!/bin/sh\n")
    (tmp_path / "evil").chmod(0o755)
    project.program.unlink()
    project.program.symlink_to(tmp_path / "evil")
    found = find_executable("promptfoo", project.root, project.root)
    assert isinstance(found, NotFound)
    assert "leads out of the project" in found.why


@pytest.mark.parametrize("name", ["python", "python3"])
def test_the_python_of_a_projects_environment_is_found_though_it_is_a_link(project, name):
    venv.create(project.root / ".venv", symlinks=True)
    found = find_executable(name, project.root, project.root)
    assert isinstance(found, Executable)
    assert found.path == project.root / ".venv" / "bin" / name and found.real == found.path.resolve()


@pytest.mark.parametrize(
    "what",
    [
        "no environment",
        "another name",
        "an environment elsewhere",
        "a Python of nobody's",
        "another library",
        "another library, by a name with capitals",
        "settings elsewhere",
        "a first line",
    ],
)
def test_a_program_of_an_environment_by_which_something_outside_would_run_is_not_run(project, tmp_path, what):
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "bin").mkdir(parents=True)
    strange = elsewhere / "bin" / "python3"
    strange.write_text("#!/bin/sh\n")
    strange.chmod(0o755)
    home = project.root / ".venv"
    venv.create(elsewhere / "venv" if what == "an environment elsewhere" else home, symlinks=True)
    settings, python = home / "pyvenv.cfg", home / "bin" / "python"
    script = home / "bin" / "inspect"
    match what:
        case "no environment":
            settings.unlink()
        case "another name":
            script.symlink_to(strange)
        case "an environment elsewhere":
            home.symlink_to(elsewhere / "venv")
        case "a Python of nobody's":
            python.unlink()
            python.symlink_to(strange)
        case "another library":
            settings.write_text(f"home = {elsewhere / 'bin'}\n")
        case "another library, by a name with capitals":
            settings.write_text(f"# {'x' * 5000}\n HOME={elsewhere / 'bin'}\n")
        case "settings elsewhere":
            settings.rename(elsewhere / "pyvenv.cfg")
            settings.symlink_to(elsewhere / "pyvenv.cfg")
        case "a first line":
            script.write_text(f"#!{strange}\n")
            script.chmod(0o755)
    found = find_executable(
        "inspect" if script.is_symlink() or script.exists() else "python", project.root, project.root
    )
    assert isinstance(found, NotFound)
    assert "leads out of the project" in found.why


def test_an_environment_that_is_on_ones_path_is_ones_own(project, tmp_path, monkeypatch):
    strange = tmp_path / "python3.99"
    strange.write_text("#!/bin/sh\n")
    strange.chmod(0o755)
    venv.create(project.root / ".venv", symlinks=True)
    python = project.root / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(strange)
    assert isinstance(find_executable("python", project.root, project.root), NotFound)
    monkeypatch.setenv("PATH", f"{python.parent}:/usr/bin")
    assert isinstance(find_executable("python", project.root, project.root), Executable)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_answers_are_kept_is_not_said_to_cancel_them(sampleui, project, monkeypatch, number):
    write = engine.write_folder

    def interrupted(*args, **options):
        write(*args, **options)
        os.kill(os.getpid(), number)

    monkeypatch.setattr(engine, "write_folder", interrupted)
    sampleui("trust")  # a command takes interrupts in a way of its own, and leaves it so
    before = signal.getsignal(number)
    ran = sampleui("rerun", project.results, "--id", "sum", "--yes")
    assert ran.code == 0 and "nothing is kept" not in ran.err
    assert "kept in run.reruns" in ran.out.replace(f"{project.root}/", "")
    assert signal.getsignal(number) == before


def test_nothing_is_kept_through_a_link(sampleui, project, tmp_path):
    (tmp_path / "home-of-others").mkdir()
    (project.root / "run.reruns").symlink_to(tmp_path / "home-of-others")
    ran = sampleui("rerun", project.results, "--id", "sum", "--yes")
    assert ran.code == 2
    assert "it is a link, through which nothing is written" in ran.err
    assert [*(tmp_path / "home-of-others").iterdir()] == []


def test_answers_are_kept_in_the_users_state_if_they_want_that(sampleui, project, home):
    (home / "sampleui").mkdir(parents=True, exist_ok=True)
    (home / "sampleui" / "config.toml").write_text('keep_reruns = "state"\n')
    assert sampleui("rerun", project.results, "--id", "sum", "--yes").code == 0
    assert not (project.root / "run.reruns").exists()
    assert [*(home / "sampleui" / "reruns").glob("run-*.reruns/*/results.json")]


def test_a_test_that_the_deck_has_no_more_is_refused(sampleui, project):
    ran = sampleui("rerun", project.results, "--id", "right", "--yes")
    assert ran.code == 2
    assert "right cannot be run again: no deck has its test as it is now" in ran.err


def test_it_says_which_records_or_is_refused(sampleui, project):
    assert "say which records" in sampleui("rerun", project.results).err
    assert "say which records" in sampleui("rerun", project.results, "--id", "sum", "--failed").err
    ran = sampleui("rerun", project.results, "--id", "sum", "--runner", "nobody")
    assert "there is no runner nobody; known are" in ran.err


_DEAF = "signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGTERM, signal.SIG_IGN)"
_BARE = "os.execve('/bin/sleep', ['sleep', '20'], {})"
STAND_INS = {
    "started at the interrupt": f"""
def fork(*_):
    for kind in range(12):
        if os.fork() == 0:
            {_DEAF}
            if kind % 3 == 1:
                os.setsid()
            if kind % 3 == 2:
                {_BARE}
            time.sleep(20)
    os._exit(130)
signal.signal(signal.SIGINT, fork)
print("ready", flush=True)
time.sleep(20)
""",
    "forking without end": f"""
{_DEAF}
print("ready", flush=True)
if os.fork() != 0:
    time.sleep(20)
end = time.monotonic() + 20
while time.monotonic() < end:
    if os.fork() != 0:
        os._exit(0)
""",
    "stopped": """
def interrupted(*_):
    open("interrupted", "w").close()
    os._exit(0)
if os.fork() == 0:
    signal.signal(signal.SIGINT, interrupted)
    print("ready", flush=True)
    signal.alarm(20)
    os.kill(os.getpid(), signal.SIGSTOP)
time.sleep(20)
""",
    "without mark in a session of its own": f"""
if os.fork() == 0:
    os.setsid()
    {_BARE}
print("ready", flush=True)
time.sleep(20)
""",
    "without mark, session and parent": f"""
if os.fork() == 0:
    if os.fork() == 0:
        os.setsid()
        {_BARE}
    for _ in range(2_000):
        if os.path.exists("seen"):
            break
        time.sleep(0.01)
    os._exit(0)
print("ready", flush=True)
time.sleep(20)
""",
}
"""What a tool may do to be missed by a cancel. Each ends by itself after 20 seconds, should a test not end it."""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found by their environment")
class TestNothingStays:
    def test_after_a_call_that_ends_by_itself_and_leaves_others(self, sampleui, project):
        project.mode("leave")
        assert sampleui("rerun", project.results, "--id", "sum", "--yes").code == 0
        assert processes_with(f"{process.MARK}={project.started[1][process.MARK]}") == []

    def test_after_a_call_that_takes_too_long(self, project, tmp_path, monkeypatch):
        monkeypatch.setattr(process, "_PATIENCE", ((signal.SIGTERM, 2.0), (signal.SIGKILL, 5.0)))
        script = "import subprocess,time; subprocess.Popen(['sleep','300']); time.sleep(300)"
        ended = process.run([sys.executable, "-c", script], tmp_path, {}, tmp_path, seconds=0.5)
        assert ended.end is process.End.TOO_LONG
        assert processes_with(f"{process.MARK}=") == [] or ended.why == ""

    def test_after_a_cancel_whatever_ignores_it(self, tmp_path, monkeypatch):
        monkeypatch.setattr(
            process, "_PATIENCE", ((signal.SIGINT, 0.3), (signal.SIGTERM, 0.3), (signal.SIGKILL, 5.0))
        )
        script = (
            "import os,signal,subprocess,sys,time\n"
            "signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            f"print(os.environ['{process.MARK}'], flush=True)\n"
            "subprocess.Popen(['sleep', '300'], start_new_session=True)\n"
            "time.sleep(300)"
        )
        heard: list[str] = []
        ended = process.run(
            [sys.executable, "-c", script],
            tmp_path,
            {},
            tmp_path,
            seconds=60,
            tell=heard.append,
            is_stopped=lambda: bool(heard),
        )
        assert ended.end is process.End.CANCELLED
        assert processes_with(f"{process.MARK}={heard[0]}") == []

    @pytest.mark.parametrize("name", STAND_INS)
    def test_after_a_cancel_whatever_is_started_stopped_or_hidden_meanwhile(self, tmp_path, monkeypatch, name):
        monkeypatch.setattr(
            process, "_PATIENCE", ((signal.SIGINT, 0.3), (signal.SIGTERM, 0.2), (signal.SIGKILL, 5.0))
        )
        monkeypatch.setattr(process, "_MEASURE_INTERVAL_S", 0.02)
        heard: list[str] = []
        looks = count()

        def is_stopped() -> bool:
            if heard and (number := next(looks)) >= 4:
                (tmp_path / "seen").touch()
                return number >= 8
            return False

        script = f"import os, signal, time\n{STAND_INS[name]}"
        command = [sys.executable, "-c", script]
        ended = process.run(command, tmp_path, {}, tmp_path, seconds=60, tell=heard.append, is_stopped=is_stopped)
        assert (ended.end, ended.why) == (process.End.CANCELLED, "")
        assert working_in(tmp_path) == []
        assert name != "stopped" or (tmp_path / "interrupted").exists()

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_after_the_command_itself_is_ended(self, project, home, number):
        project.mode("hang")
        command = [sys.executable, "-m", "sampleui", "rerun", str(project.results), "--id", "sum", "--yes"]
        with process._usual_interrupts():  # a shell has what it starts in the background ignore SIGINT
            running = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
            )
        until = time.monotonic() + 20
        while project.started is None and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.3)
        mark = f"{process.MARK}={project.started[1][process.MARK]}"
        assert len(processes_with(mark)) == 3
        running.send_signal(number)
        running.communicate(timeout=20)
        assert running.returncode == 130
        assert processes_with(mark) == []
        assert not (project.root / "run.reruns").exists()


def test_a_call_that_writes_too_much_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "MAX_RERUN_BYTES", 1 << 20)
    monkeypatch.setattr(process, "_MEASURE_INTERVAL_S", 0.05)
    out = tmp_path / "out"
    out.mkdir()
    script = "import time; open('big','wb').write(bytes(2<<20)); time.sleep(60)"
    ended = process.run([sys.executable, "-c", script], out, {}, out, seconds=60)
    assert ended.end is process.End.TOO_MUCH


def test_output_commands_no_terminal_and_a_line_without_end_is_cut():
    heard: list[str] = []
    output = process.Output(heard.append)
    output.take(b"\x1b[2J\x1b]0;title\x07red\x08\n\xff")
    output.take(b"x" * 10_000)
    output.take(b"\nend", last=True)
    assert heard[0] == "red␈"
    assert len(heard[1]) == process.LONGEST_LINE
    assert heard[2] == "end"


@pytest.fixture
def attempts(project: Project) -> Project:
    project.attempts()
    return project


@pytest.mark.parametrize("times", [1, 2])
def test_a_sample_counts_once_however_many_attempts_the_run_had(sampleui, attempts, times):
    ran = sampleui("rerun", attempts.results, "--failed", "--n", times, "--yes")
    assert ran.code == 0, ran.err
    assert ran.out.count("pass now") + ran.out.count("passes now") == 3
    assert f"sum: {times} of {times} pass{'es' if times == 1 else ''} now; before: 1 of 3 passed" in ran.out
    assert "2 of 2 samples pass now" in ran.out


def test_what_is_said_in_json_counts_samples_once_too(sampleui, attempts):
    wanted = ("rerun", attempts.results, "--failed", "--format", "json")
    told = json.loads(sampleui(*wanted).out)
    assert told["samples"] == {"asked": 2, "run": 0, "passed": None}
    told = json.loads(sampleui(*wanted, "--yes").out)
    assert told["samples"] == {"asked": 2, "run": 2, "passed": 2}
    assert [record["attempts_before"] for record in told["records"]] == [
        {"passed": 1, "total": 3},
        {"passed": 0, "total": 3},
    ]
    attempts.mode("fewer")
    told = json.loads(sampleui(*wanted, "--yes").out)
    assert told["samples"] == {"asked": 2, "run": 0, "passed": 0}
