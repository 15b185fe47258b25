"""Files are opened in one place, which answers whatever a name may be."""

from __future__ import annotations

import ast
import os
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.review.log.store import open_log
from sampleui.text import confined
from sampleui.text.appending import locked, repaired
from sampleui.text.confined import (
    LeadsOutError,
    LinkError,
    NotRegularError,
    belongs,
    below,
    descriptor_of,
    exists,
    folder_held,
    is_file,
    is_folder,
    is_inside,
    is_link,
    is_there,
    listed,
    named,
    opened,
    passes_link,
    project_root,
    read_confined,
    read_whole,
    real_path,
    size_of,
    status_of,
    time_of_change,
    typed_path,
    why_outside,
)
from sampleui.text.replacing import drafted, put_in_place
from tests.review.build import decision

ROOT = Path(__file__).parents[2]
DOORS = {"sampleui/text/confined.py", "sampleui/text/replacing.py", "sampleui/text/appending.py"}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OTHERS = {
    "sampleui/cli/output.py": "os.open",  # the null device, when standard output is gone
    "sampleui/integrations/index.py": "os.scandir open",  # the packages of the environment it runs in
    # a contract test, on files of its own
    "sampleui/integrations/testing.py": "is_dir mkdir shutil.copytree shutil.copy resolve read_bytes read_text",
    "sampleui/runs/rerun/process.py": "os.listdir os.open",  # what the system says of processes
    "sampleui/runs/rerun/program.py": "os.access",  # whether a program may be run
    "sampleui/review/results/columns.py": "rglob",  # the extensions of the installed DuckDB
    "sampleui/review/reports/run_figures.py": "unlink",  # a file of its own in a temporary folder
    # folders of its own below the system's temporary one
    "sampleui/text/temporary.py": "glob tempfile.TemporaryDirectory touch exists lstat shutil.rmtree",
    "sampleui/tui/external_editor.py": "tempfile.mkdtemp shutil.rmtree",
}
"""What else opens a path, which nobody else has named: each module with the calls that it may make."""

OF_PATHS = _words(
    "chmod expanduser glob hardlink_to is_dir is_fifo is_file is_symlink iterdir lchmod lstat mkdir read_bytes"
    " read_text readlink rglob rmdir samefile symlink_to touch unlink write_bytes write_text"
)
WITHOUT_ARGUMENTS = _words("exists resolve stat")
"""Names that other values have too, with arguments."""

OF_MODULES = {
    "io": _words("open open_code"),
    "os": _words(
        "access chmod chown link listdir lstat makedirs mkdir mkfifo open readlink remove removedirs rename renames"
        " replace rmdir scandir stat symlink truncate unlink utime walk"
    ),
    "os.path": _words("exists getmtime getsize isdir isfile islink ismount lexists realpath samefile"),
    "shutil": _words("chown copy copy2 copyfile copytree move rmtree"),
    "tempfile": _words("NamedTemporaryFile TemporaryDirectory TemporaryFile mkdtemp mkstemp"),
}
NO_PATHS = {"self._samples"}
"""What has a method of the same name and is no path."""

_MODE = re.compile(r"[rwxab+t]{1,3}")


def opens(path: Path) -> list[str]:
    """Return the calls of a module that open a path, change it, or ask about one by what may raise."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in OF_MODULES
        for alias in node.names
    }
    return [name for node in ast.walk(tree) if isinstance(node, ast.Call) for name in _opened_by(node, modules)]


def _opened_by(call: ast.Call, imported: dict[str, str]) -> Iterator[str]:
    match call.func:
        case ast.Name(id="open"):
            yield "open"
        case ast.Name(id=name) if name in imported:
            module, _, function = imported[name].rpartition(".")
            if function in OF_MODULES[module]:
                yield imported[name]
        case ast.Attribute(value=value, attr=name):
            whole = ast.unparse(value)
            if whole in OF_MODULES:
                if name in OF_MODULES[whole]:
                    yield f"{whole}.{name}"
            elif whole in NO_PATHS or whole.endswith(".references()"):
                return
            elif name in OF_PATHS or (name in WITHOUT_ARGUMENTS and not call.args):
                yield name
            elif name in ("rename", "replace") and len(call.args) == 1 and not call.keywords:
                yield name
            elif name == "open" and any(
                isinstance(arg, ast.Constant) and _MODE.fullmatch(str(arg.value)) for arg in call.args
            ):
                yield name


@pytest.mark.long
def test_no_module_but_the_door_opens_a_path():
    opening = {path.relative_to(ROOT).as_posix(): {*opens(path)} for path in (ROOT / "sampleui").rglob("*.py")}
    others = {name: found - {*OTHERS.get(name, "").split()} for name, found in opening.items() if name not in DOORS}
    assert {name: found for name, found in others.items() if found} == {}


OPENING = """
mkstemp(); p.write_text("")
open(p); io.open(p); Path(p).open("rb"); p.stat(); p.unlink(); p.mkdir(); p.touch(); p.rename(q); p.replace(q)
os.replace(p, q); os.unlink(p); os.path.realpath(p); shutil.rmtree(p); tempfile.mkdtemp()
"""


def test_every_way_to_open_or_change_a_path_is_seen(tmp_path):
    (tmp_path / "x.py").write_text("from tempfile import mkstemp\n" + OPENING)
    assert len(opens(tmp_path / "x.py")) == OPENING.count("(") - 1  # that of Path itself


def strange(folder: Path) -> list[Path]:
    """Return paths of every kind that a folder, a file or a row may name."""
    inside, outside = folder / "inside", folder / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "secret").write_text("secret")
    (inside / ".git").mkdir()
    (inside / "plain").write_text("plain")
    for name, leads_to in {
        "loop": "loop",
        "dangling": "nowhere",
        "out": "../outside/secret",
        "out-folder": "../outside",
        "within": "plain",
        "device": "/dev/zero",
        "proc": "/proc/self/environ",
    }.items():
        (inside / name).symlink_to(leads_to)
    os.mkfifo(inside / "pipe")
    with socket.socket(socket.AF_UNIX) as listening, pytest.MonkeyPatch.context() as patch:
        patch.chdir(inside)  # the path of a socket may be no longer than 107 bytes
        listening.bind("socket")
    raw = Path(os.fsdecode(os.fsencode(inside) + b"/\xff\xfe"))
    raw.write_text("raw")
    names = ["x" * 4096, "a/" * 3000, "a\0b", "\ud800", "..", ".", "", "plain/below", "loop/below", "missing"]
    return [*inside.iterdir(), *(inside / name for name in names), Path("\0"), Path("~"), Path("/dev/full")]


def test_whatever_is_asked_of_any_name_has_an_answer(tmp_path):
    for path in strange(tmp_path):
        for ask in (exists, is_there, is_file, is_folder, is_link, real_path, size_of, status_of, time_of_change):
            ask(path)
        for ask in (listed, belongs, project_root, lambda folder: [*below(folder)]):
            ask(path)
        is_inside(path, tmp_path)
        passes_link(path, tmp_path)
        why_outside(path, tmp_path)
        read_confined(os.fspath(path), (tmp_path,), tmp_path / "inside", 100)


def test_what_cannot_be_opened_raises_nothing_but_an_error_of_the_system(tmp_path):
    for path in strange(tmp_path):
        for use in (lambda path: read_whole(path, 100), lambda path: os.close(descriptor_of(path, os.O_RDONLY))):
            try:
                use(path)
            except OSError:
                continue
        with suppress(OSError), opened(path):
            assert is_file(path)


def test_nothing_outside_of_the_root_is_read(tmp_path):
    inside = tmp_path / "inside"
    for path in strange(tmp_path):
        read = read_confined(os.fspath(path), (inside,), inside, 100)
        assert b"secret" not in getattr(read, "data", b"")
    assert not belongs(inside / "out")
    assert belongs(inside / "within")
    assert why_outside(inside / "out", inside) == "a link that leads out of the folder"
    assert why_outside(inside / "loop", inside) == why_outside(inside / "dangling", inside) != ""
    assert why_outside(inside / "within", inside) == ""


@pytest.mark.parametrize("name", ["loop", "dangling", "out", "within", "device"])
def test_nothing_is_opened_for_writing_through_a_link(tmp_path, name):
    strange(tmp_path)
    with pytest.raises(LinkError):
        descriptor_of(tmp_path / "inside" / name, os.O_WRONLY | os.O_CREAT)
    assert not (tmp_path / "inside" / "nowhere").exists()


def test_a_path_through_a_linked_folder_passes_a_link_and_one_from_a_linked_root_does_not(tmp_path):
    strange(tmp_path)
    (tmp_path / "home").symlink_to("inside")
    assert passes_link(tmp_path / "inside" / "out-folder" / "secret", tmp_path / "inside")
    assert not passes_link(tmp_path / "home" / "plain", tmp_path / "home")
    assert not passes_link(tmp_path / "home" / ".." / "outside" / "secret", tmp_path / "home")


def put_in_the_way(folder: Path, monkeypatch, name: str) -> Path:
    """Have a folder replaced by a link as soon as it is asked whether a link is passed; return where that leads."""
    home = folder / "home"
    home.mkdir()
    real = os.open

    def swapped(path, flags, *rest, **named):
        if Path(path).name == name and not (folder / "root" / "moved").exists():
            (folder / "root" / name).rename(folder / "root" / "moved")
            (folder / "root" / name).symlink_to(home)
        return real(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", swapped)
    return home


@pytest.mark.parametrize("trusted", ["root", ""], ids=["below a folder that is named", "by a resolved path"])
def test_nothing_is_replaced_through_a_folder_that_becomes_a_link(tmp_path, monkeypatch, trusted):
    (tmp_path / "root" / "sub").mkdir(parents=True)
    home = put_in_the_way(tmp_path, monkeypatch, "sub")
    path = tmp_path / "root" / "sub" / "file"
    with pytest.raises(LinkError), drafted(path, b"x", trusted=tmp_path / trusted if trusted else None) as draft:
        put_in_place(draft)
    assert [*home.iterdir()] == []


def test_a_draft_goes_where_it_was_begun_though_a_link_takes_the_place_of_its_folder(tmp_path):
    root, home = tmp_path / "root", tmp_path / "home"
    (root / "sub").mkdir(parents=True)
    home.mkdir()
    with drafted(root / "sub" / "file", b"x", trusted=root) as draft:
        (root / "sub").rename(root / "moved")
        (root / "sub").symlink_to(home)
        put_in_place(draft)
    assert [*home.iterdir()] == []
    assert (root / "moved" / "file").read_bytes() == b"x"
    assert [*(root / "moved").iterdir()] == [root / "moved" / "file"]


def test_no_line_is_appended_and_none_moved_aside_through_a_linked_folder(tmp_path):
    root, home = tmp_path / "root", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    (home / "log").write_bytes(b"whole\ntorn")
    (root / "sub").symlink_to(home)
    with pytest.raises(LinkError), locked(root / "sub" / "log", create=True, trusted=root) as descriptor:
        repaired(descriptor, root / "sub" / "log", lambda _: False, root)
    assert (home / "log").read_bytes() == b"whole\ntorn"
    assert [*home.iterdir()] == [home / "log"]


def test_a_log_stays_where_it_was_when_it_was_opened(tmp_path):
    root, home = tmp_path / "root", tmp_path / "home"
    (root / "runs").mkdir(parents=True)
    home.mkdir()
    log = open_log(root / "runs" / "run.reviews.jsonl")
    (root / "runs").rename(root / "moved")
    (root / "runs").symlink_to(home)
    with pytest.raises(ResultsError, match="it is a link, through which nothing is written"):
        log.append(decision())
    assert [*home.iterdir()] == []


def test_no_folder_is_made_through_a_link(tmp_path):
    root, home = tmp_path / "root", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    (root / "sub").symlink_to(home)
    with pytest.raises(LinkError), folder_held(root / "sub" / "new", root, create=True):
        pass
    assert [*home.iterdir()] == []
    with folder_held(root / "a" / "b", root, create=True):
        assert (root / "a" / "b").is_dir()


def test_a_home_is_no_project_for_the_settings_that_tools_have_there(tmp_path, monkeypatch):
    deck = tmp_path / "downloads" / "evil"
    deck.mkdir(parents=True)
    for mark in (".agentv", "pyproject.toml"):
        (tmp_path / mark).mkdir()
    assert project_root(deck) == tmp_path
    monkeypatch.setenv("HOME", os.fspath(tmp_path))
    assert project_root(deck) == deck
    assert read_confined("../../pyproject.toml", (deck,), project_root(deck), 9).kind == "outside-root"
    (tmp_path / ".git").mkdir()
    assert project_root(deck) == tmp_path


def test_a_folder_where_everyone_may_put_a_mark_is_no_project(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "evil").mkdir()
    assert project_root(tmp_path / "evil") == tmp_path
    tmp_path.chmod(0o1777)
    assert project_root(tmp_path / "evil") == tmp_path / "evil"


def test_a_path_of_which_the_system_does_not_tell_where_it_leads_is_not_inside(tmp_path, monkeypatch):
    strange(tmp_path)
    inside = tmp_path / "inside"

    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "readlink", refused)
    assert not is_inside(inside / "out", inside)
    assert not belongs(inside / "out")
    assert why_outside(inside / "out", inside) == "a link that leads out of the folder"
    assert read_confined("out", (inside,), inside, 9).kind == "outside-root"


def test_a_home_that_a_person_types_may_be_nobodys(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", "/home/ada")
    assert typed_path("~/x.toml", tmp_path) == Path("/home/ada/x.toml")
    assert typed_path("~nobody-of-this-name/x.toml", tmp_path) == tmp_path / "~nobody-of-this-name" / "x.toml"
    assert typed_path("x.toml", tmp_path) == tmp_path / "x.toml"


def test_a_pipe_is_not_waited_for(tmp_path):
    strange(tmp_path)
    with pytest.raises(NotRegularError):
        read_whole(tmp_path / "inside" / "pipe", 100)


def test_a_link_that_nobody_named_is_read_only_if_it_ends_in_its_project(tmp_path):
    project, outside = tmp_path / "project", tmp_path / "outside.txt"
    (project / "sub").mkdir(parents=True)
    (project / ".git").mkdir()
    outside.write_text("outside")
    (project / "inside.txt").write_text("inside")
    out, back = project / "sub" / "out.txt", project / "sub" / "back.txt"
    out.symlink_to(outside)
    back.symlink_to("../inside.txt")
    assert read_whole(back, 100) == b"inside"
    with pytest.raises(LeadsOutError):
        read_whole(out, 100)
    assert read_whole(named(out), 100) == b"outside"


def test_a_link_that_is_put_elsewhere_while_it_is_opened_is_not_read(tmp_path, monkeypatch):
    project, outside = tmp_path / "project", tmp_path / "outside.txt"
    project.mkdir()
    outside.write_text("outside")
    link = project / "link.txt"
    link.symlink_to("inside.txt")
    (project / "inside.txt").write_text("inside")
    leads = confined.is_inside

    def asked_then_swapped(path, root):
        inside = leads(path, root)
        link.unlink()
        link.symlink_to(outside)
        return inside

    monkeypatch.setattr(confined, "is_inside", asked_then_swapped)
    with pytest.raises(LeadsOutError), opened(link):
        pass


def test_nothing_is_read_in_a_folder_that_became_a_link_after_a_person_named_what_is_above_it(tmp_path):
    project, outside = tmp_path / "project", tmp_path / "outside"
    (project / "evals").mkdir(parents=True)
    outside.mkdir()
    for folder in (project / "evals", outside):
        (folder / "deck.toml").write_text(folder.name)
        (folder / "own-link.toml").symlink_to("deck.toml")
    named(project)
    assert read_whole(project / "evals" / "deck.toml", 100) == b"evals"
    (project / "evals").rename(project / "gone")
    (project / "evals").symlink_to(outside)
    for name in ("deck.toml", "own-link.toml"):
        with pytest.raises(LeadsOutError):
            read_whole(project / "evals" / name, 100)
    assert read_whole(named(project / "evals" / "deck.toml"), 100) == b"outside"


def test_what_lies_beside_a_file_that_is_named_through_a_link_is_read(tmp_path):
    (tmp_path / "project").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project" / "evals").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "run.jsonl").write_text("beside")
    named(tmp_path / "project" / "evals" / "deck.toml")
    assert read_whole(tmp_path / "project" / "evals" / "run.jsonl", 100) == b"beside"


def test_nothing_is_written_in_a_folder_that_became_a_link_after_a_person_named_what_is_above_it(tmp_path):
    project, outside = tmp_path / "project", tmp_path / "outside"
    (project / "evals").mkdir(parents=True)
    outside.mkdir()
    named(project)
    (project / "evals").rename(project / "gone")
    (project / "evals").symlink_to(outside)
    with pytest.raises(LeadsOutError), folder_held(project / "evals", project / "evals"):
        pass
    with pytest.raises(LinkError), folder_held(project / "evals", project):
        pass
