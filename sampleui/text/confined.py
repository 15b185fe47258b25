"""The one door to files: names are not trusted, whether data, a folder or a person gives them.

A name may lead anywhere: to a pipe that never answers, to a device that never ends, to one of the system's virtual
files without a size. It may be too long, hold a NUL, go round in links, or be gone a moment later. What asks about
a path here answers and never raises; what opens one raises nothing but `OSError`:

- `exists`, `is_file`, `is_folder`, `is_link`, `real_path`, `status_of`, `listed`, `below` say what is there;
- `opened`, `read_whole` read a regular file. A link is followed where a person named it (`named`); else only if it
  ends in its project, and what was opened is asked, so that nobody can put another there in between; nor one in
  the place of a folder on the way, since a person named what is above it;
  `read_confined` reads a file that data names, only if it is inside a root after links are resolved, and returns a
  refusal with the reason otherwise;
- `folder_held` opens the folder of a file that is to be written, through no link below what a person named, and
  `descriptor_of` the file in it, through no link either; `replacing.py` and `appending.py` write by these.

No other module of the program opens a path (`tests/text/test_door.py`).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sampleui.integrations import index
from sampleui.text.limits import MAX_LISTED

StrPath = str | os.PathLike[str]

SCHEME = "file://"
"""What stands before the path of a file in the values of samples and configs."""


START = 1 << 16
"""How many bytes of a file are looked at to tell what it is."""

ENVIRONMENT = ".env"
"""The file of a project that holds variables of the environment; others may follow its name, as `.env.local`."""


def holds_environment(path: Path) -> bool:
    """Tell by its name whether a file holds variables of the environment."""
    return path.name == ENVIRONMENT or path.name.startswith(f"{ENVIRONMENT}.")


class RefusalKind(StrEnum):
    """Why a file was not read."""

    NOT_FOUND = "not-found"
    OUTSIDE_ROOT = "outside-root"
    NOT_REGULAR = "not-regular"
    TOO_LARGE = "too-large"
    UNREADABLE = "unreadable"
    OF_ENVIRONMENT = "of-environment"


class Refusal(NamedTuple):
    """Why a file was not read: the kind for programs, the reason for people."""

    kind: RefusalKind
    reason: str


class Confined(NamedTuple):
    """The bytes of a file that was read, and where it really lies (absolute, symlinks resolved)."""

    path: Path
    data: bytes


class NamedPaths:
    """What a person named since this process began, and where the folders led then.

    Nobody may put a link in the place of a folder afterwards.
    """

    def __init__(self) -> None:
        self._paths: set[str] = set()
        self._folders: dict[str, Path] = {}
        self._roots: set[Path] = set()
        self._with_root = 0

    def __contains__(self, path: Path) -> bool:
        """Tell whether an absolute path was named itself."""
        return str(path) in self._paths

    def add(self, path: Path) -> None:
        """Note an absolute path, and where it leads if it is a folder, else where its folder does."""
        self._paths.add(str(path))
        for folder in (path, path.parent):
            if str(folder) not in self._folders and is_folder(folder):
                self._folders[str(folder)] = real_path(folder)

    def root_of(self, path: Path) -> Path | None:
        """Return what an absolute path must not leave: the project of the nearest folder named, as it was then.

        None if it is neither such a folder, nor below one, nor in the project of one.
        """
        for folder in (path, *path.parents):
            if (led_to := self._folders.get(str(folder))) is not None:
                return project_root(led_to)
        folders = [*self._folders.values()]  # another thread may name one more meanwhile
        self._roots.update(map(project_root, folders[self._with_root :]))
        self._with_root = len(folders)
        return next((folder for folder in (path, *path.parents) if folder in self._roots), None)


NAMES = NamedPaths()


def named(path: StrPath) -> Path:
    """Note, for as long as this process runs, that a person named a path, and return it: a link there is theirs."""
    NAMES.add(_absolute(path))
    return Path(path)


def typed_path(name: str, folder: Path) -> Path:
    """Return the path that a person typed, counted from a folder; of a `~` that is nobody's home, as it is."""
    return named(folder / os.path.expanduser(name))  # noqa: PTH111 (pathlib's raises for who is not known)


def exists(path: StrPath) -> bool:
    """Tell whether a path leads to something, links followed."""
    return os.path.exists(path)  # noqa: PTH110 (pathlib's raises for names that are too long, or of closed folders)


def is_free(path: StrPath) -> bool:
    """Tell whether nothing is of that name, not even a link that leads nowhere.

    Raises:
        OSError: when nobody can tell, as of a disk that fails.
    """
    try:
        os.lstat(path)
    except FileNotFoundError:
        return True
    except ValueError as error:  # a NUL or a lone surrogate, which no file's name can hold
        raise OSError(errno.EINVAL, str(error)) from None
    return False


_NO_NAMES = frozenset({errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL})
"""Errors by which the system says that nothing can have a name."""


def is_there(path: StrPath) -> bool:
    """Tell whether something may be of that name, if only a link that leads nowhere.

    On a disk that fails and in a folder that is closed something may be: who opens it hears why it cannot be read.
    """
    try:
        return not is_free(path)
    except OSError as error:
        return error.errno not in _NO_NAMES


def is_file(path: StrPath) -> bool:
    """Tell whether a path leads to a regular file, links followed."""
    return os.path.isfile(path)  # noqa: PTH113


def is_executable(path: StrPath) -> bool:
    """Tell whether what a path leads to may be run as a program."""
    status = status_of(path)
    return status is not None and bool(status.st_mode & 0o111)


def is_folder(path: StrPath) -> bool:
    """Tell whether a path leads to a folder, links followed."""
    return os.path.isdir(path)  # noqa: PTH112


def is_link(path: StrPath) -> bool:
    """Tell whether a path names a link, wherever that leads."""
    return os.path.islink(path)  # noqa: PTH114


def real_path(path: StrPath) -> Path:
    """Return where a path leads, absolute and without links; one that no system could have, as it is."""
    return _resolved(path) or Path(path)


def _resolved(path: StrPath) -> Path | None:
    """Return where a path leads; None if nobody can tell."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):  # the folder the process is in is gone; a link that may not be read; a NUL
        return None


def is_inside(path: StrPath, root: StrPath) -> bool:
    """Tell whether a path leads into a folder, links followed; no path does of which nobody can tell."""
    leads_to = _resolved(path)
    return leads_to is not None and leads_to.is_relative_to(real_path(root))


def status_of(path: StrPath) -> os.stat_result | None:
    """Return what the system says of what a path leads to; None for what is not there or cannot be asked about."""
    try:
        return os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return None


def size_of(path: StrPath) -> int:
    """Return the bytes of what a path leads to; 0 for what is not there or does not tell."""
    status = status_of(path)
    return 0 if status is None else status.st_size


def time_of_change(path: StrPath) -> float:
    """Return when what a path leads to was last changed, in seconds since 1970; 0 where nobody can tell."""
    status = status_of(path)
    return 0.0 if status is None else status.st_mtime


def size_and_time(path: StrPath) -> tuple[int, int] | None:
    """Return what tells whether a file changed: bytes, and nanoseconds since 1970; None if there is no file."""
    status = status_of(path)
    return None if status is None else (status.st_size, status.st_mtime_ns)


class Listed(NamedTuple):
    """What is in a folder: the paths by name, and why they are not all, or none; None if they are."""

    paths: tuple[Path, ...] = ()
    refusal: Refusal | None = None


def listed(folder: Path, most: int = MAX_LISTED) -> Listed:
    """Return what is in a folder, by name; what others put there meanwhile may be missing.

    Args:
        folder: the folder.
        most: how many names are read.
    """
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in islice(entries, most + 1)]
    except (OSError, ValueError) as error:
        return Listed((), Refusal(RefusalKind.UNREADABLE, f"the folder cannot be read: {_words(error)}"))
    paths = tuple(folder / name for name in sorted(names[:most]))
    if len(names) > most:
        return Listed(paths, Refusal(RefusalKind.TOO_LARGE, f"the folder has more than {most:,} entries"))
    return Listed(paths)


def below(
    folder: Path, refused: Callable[[OSError], None] | None = None
) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Yield the folders below one as `os.walk` does, itself first; links and what cannot be read are left out.

    What is taken out of the list of folders is not looked into. `refused` is told why a folder cannot be read.
    """
    for base, folders, files in os.walk(folder, onerror=refused) if _is_path(os.fspath(folder)) else ():
        yield Path(base), folders, files


def why_outside(path: Path, root: Path) -> str:
    """Return, in words, why a file found in a folder is not read: a link out of a root, or to nothing; else "".

    Args:
        path: the file.
        root: what it must not leave.
    """
    if not is_link(path):
        return ""
    if not exists(path):
        return "a link that leads nowhere"
    return "" if is_inside(path, root) else _LEADS_OUT


_LEADS_OUT = "a link that leads out of the folder"


def belongs(path: Path) -> bool:
    """Tell whether a path that was put together from a folder leads to a regular file, inside its project.

    A folder may come from anyone, and have links to a person's own files.
    """
    return is_file(path) and (not is_link(path) or is_inside(path, project_root(path.parent)))


def passes_link(path: Path, trusted: Path) -> bool:
    """Tell whether a path goes through a link on its way from a folder that is trusted, or is one."""
    return str(real_path(path)) != os.path.normpath(real_path(trusted) / _relative(path, trusted))


class LinkError(OSError):
    """A file that was to be written is a link, through which nothing is written."""

    def __init__(self, path: StrPath) -> None:
        super().__init__(errno.ELOOP, "it is a link, through which nothing is written", str(path))


def descriptor_of(path: StrPath, flags: int, mode: int = 0o666, folder: int | None = None) -> int:
    """Open a path, through no link at its end and without waiting for a pipe, and return the descriptor.

    Args:
        path: the path.
        flags: those of `os.open`.
        mode: the permissions of a file that is made.
        folder: a descriptor of its folder, where that is held: then nobody can put another in its place.

    Raises:
        LinkError: when it is a link.
        OSError: when it cannot be opened, whatever its name is.
    """
    name = path if folder is None else Path(path).name
    try:
        return os.open(name, flags | _CAREFUL | getattr(os, "O_NOFOLLOW", 0), mode, dir_fd=folder)
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error)) from None
    except OSError as error:
        if error.errno == errno.ELOOP and is_link(path):
            raise LinkError(path) from None
        error.filename = os.fspath(path)
        raise


@contextmanager
def folder_held(folder: Path, trusted: Path | None = None, *, create: bool = False) -> Iterator[int | None]:
    """Open a folder for writing in it by its descriptor, whatever is put in the place of its name meanwhile.

    On the way down from a trusted folder no link is passed. None is yielded where a system cannot do this.

    Args:
        folder: the folder.
        trusted: what a person named, at or above it or beside it; None if they named the folder itself.
        create: whether what is missing below the trusted folder is made.

    Raises:
        LinkError: when a part of the way is a link.
        LeadsOutError: when the trusted folder is not where it was when a person named it.
        OSError: when it cannot be opened or made.
    """
    if create:
        top = folder if trusted is None or not _HOLDS else trusted
        try:
            os.makedirs(top, exist_ok=True)  # noqa: PTH103
        except RecursionError:  # it calls itself for each part of a path
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), str(top)) from None
    if not _HOLDS:
        yield None
        return
    path = folder if trusted is None else trusted
    descriptor = _folder(path, None)
    try:
        here = _absolute(path)
        if (root := NAMES.root_of(here)) is not None and not _really_at(descriptor, here).is_relative_to(root):
            raise LeadsOutError(path)
        steps = () if trusted is None else Path(_relative(folder, trusted)).parts
        for step in steps:
            path = path / step
            with suppress(FileExistsError):
                if create:
                    os.mkdir(step, dir_fd=descriptor)
            try:
                below = _folder(step, descriptor)
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.ENOTDIR) and is_link(path):
                    raise LinkError(path) from None
                raise OSError(error.errno, error.strerror, str(path)) from None
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        with suppress(OSError):  # nothing was written by it that could be lost
            os.close(descriptor)


_HOLDS = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and hasattr(os, "O_DIRECTORY")


def _folder(name: StrPath, above: int | None) -> int:
    """Open a folder by its name in another; one whose names may not be read, but entered, too where that can be."""
    flags = os.O_DIRECTORY | _CAREFUL | (0 if above is None else os.O_NOFOLLOW)
    try:
        return os.open(name, os.O_RDONLY | flags, dir_fd=above)
    except PermissionError:
        return os.open(name, getattr(os, "O_PATH", os.O_RDONLY) | flags, dir_fd=above)
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error)) from None


def _relative(path: StrPath, trusted: StrPath) -> str:
    return os.path.relpath(os.path.abspath(path), os.path.abspath(trusted))  # noqa: PTH100 (never resolves)


def is_root(folder: Path) -> bool:
    """Tell whether a folder is the root of a project: it has `.git`, `pyproject.toml` or the settings of a tool.

    A person's home is one by `.git` alone: tools have settings there too, and whatever is put anywhere below it
    would belong to one project with all that is private. A folder for everyone, such as `/tmp`, is none.
    """
    if exists(folder / ".git"):
        return not is_open_to_all(folder)
    marks = (*index.settings_folders(), "pyproject.toml")
    return any(exists(folder / mark) for mark in marks) and not _is_home(folder) and not is_open_to_all(folder)


def _is_home(folder: Path) -> bool:
    return real_path(folder) == real_path(os.path.expanduser("~"))  # noqa: PTH111 (pathlib's raises without a home)


def is_open_to_all(folder: Path) -> bool:
    """Tell whether everyone may make files in a folder, each their own."""
    status = status_of(folder)
    return status is not None and bool(status.st_mode & stat.S_ISVTX and status.st_mode & stat.S_IWOTH)


def project_root(folder: Path) -> Path:
    """Return the nearest folder at or above one that is the root of a project, else the folder."""
    resolved = real_path(folder)
    return next(filter(is_root, (resolved, *resolved.parents)), resolved)


def read_confined(
    written: str, folders: Iterable[Path], root: Path, max_bytes: int, *, environment: bool = False
) -> Confined | Refusal:
    """Read a file by the path its author wrote, looked for in the folders in order.

    The first folder in which the path exists decides, even when it is then refused: a later folder must not quietly
    stand in for a file that the author can see. Outside the root nothing is looked for, so that no refusal reveals
    what is there.

    Args:
        written: the path as written, relative or absolute.
        folders: where a relative path is looked for.
        root: the folder that the file must lie in.
        max_bytes: the largest size that is read.
        environment: whether a file that holds variables of the environment is read as well, for somebody who looks.
    """
    if not written:
        return Refusal(RefusalKind.NOT_FOUND, "the path is empty")
    if not _is_path(written):
        return Refusal(RefusalKind.NOT_FOUND, f"{written!r} is not a path")
    real_root = real_path(root)
    refusal = Refusal(RefusalKind.OUTSIDE_ROOT, f"{written} lies outside {root}")
    for folder in folders:
        try:
            path = _resolved(folder / written)
            if path is None or not path.is_relative_to(real_root):
                return refusal
            if holds_environment(path) and not environment:
                return Refusal(
                    RefusalKind.OF_ENVIRONMENT, f"{written} holds values of the environment, which are hidden"
                )
            return _read_inside(path, written, real_root, max_bytes)
        except (FileNotFoundError, NotADirectoryError):
            refusal = Refusal(RefusalKind.NOT_FOUND, f"{written} does not exist")
        except (NotRegularError, IsADirectoryError):
            return Refusal(RefusalKind.NOT_REGULAR, f"{written} is not a regular file")
        except (OSError, RuntimeError) as error:  # RuntimeError: a symlink loop, before Python 3.13
            if getattr(error, "errno", 0) == errno.EFBIG:
                return Refusal(RefusalKind.TOO_LARGE, f"{written} is larger than {max_bytes:,} bytes")
            return Refusal(RefusalKind.UNREADABLE, f"{written} cannot be read: {_words(error)}")
    return refusal


def _is_path(written: str) -> bool:
    """Tell whether a file could have a name: it has no NUL and no half of a character."""
    try:
        return b"\0" not in os.fsencode(written)
    except UnicodeEncodeError:
        return False


class NotRegularError(OSError):
    """What was opened is a folder, a pipe, a device or a file that the system makes up."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "not a regular file", str(path))


class LeadsOutError(OSError):
    """A file that nobody named is a link or lies behind one, and leads out of its project."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.ELOOP, _LEADS_OUT, str(path))


@contextmanager
def opened(path: Path) -> Iterator[BufferedReader]:
    """Open a regular file for reading, and never wait for one that is a pipe.

    Raises:
        LeadsOutError: when a link leads to it out of its project, and no person named it.
        NotRegularError: when it is something else than a regular file.
        OSError: when it cannot be opened.
    """
    with _inside(path) as file:
        yield file


def _inside(path: Path) -> BufferedReader:
    folder_path = _absolute(path)
    if folder_path in NAMES:
        return _regular(path, _FLAGS)
    try:
        file = _regular(path, _FLAGS | getattr(os, "O_NOFOLLOW", 0))
        if (really := _really_at(file.fileno(), folder_path)) == folder_path:
            return file
        root = NAMES.root_of(folder_path)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        root = project_root(path.parent)
        if strays(path, root) or (exists(path) and not is_inside(path, root)):  # then it is not even opened
            raise LeadsOutError(path) from None
        file = _regular(path, _FLAGS)
        really = _really_at(file.fileno(), real_path(path))
    if root is None or really.is_relative_to(root):
        return file
    file.close()
    raise LeadsOutError(path)


def strays(path: Path, leads_to: Path) -> bool:
    """Tell whether a path that no person named leads out of its project, by a link that was put on its way."""
    folder_path = _absolute(path)
    root = None if folder_path in NAMES else NAMES.root_of(folder_path)
    return root is not None and not leads_to.is_relative_to(root)


def _absolute(path: StrPath) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 (never resolves)


def packaged_text(path: Path) -> str:
    """Return a text that is a file of the program itself."""
    return path.read_text(encoding="utf-8")


def read_whole(path: Path, max_bytes: int) -> bytes:
    """Read a regular file at once.

    Raises:
        NotRegularError: when it is something else.
        OSError: when it cannot be read, or is larger than that.
    """
    with opened(path) as file:
        return _read_all(file, max_bytes)


# O_NONBLOCK keeps the open of a pipe without a writer from waiting for ever.
_CAREFUL = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_FLAGS = os.O_RDONLY | _CAREFUL


def start_of(path: Path) -> bytes | None:
    """Return the first `START` bytes of a file, as `opened` opens it; None of one that cannot be read."""
    try:
        with opened(path) as file:
            return file.read(START)
    except OSError:
        return None


def _regular(path: Path, flags: int) -> BufferedReader:
    try:
        descriptor = os.open(path, flags)
    except ValueError as error:  # a NUL or a lone surrogate, which no file's name can hold
        raise OSError(errno.EINVAL, str(error)) from None
    try:
        status = os.fstat(descriptor)
        # A file without a size that has bytes is one that the system makes up as it is read, perhaps without end.
        if not stat.S_ISREG(status.st_mode) or (status.st_size == 0 and os.read(descriptor, 1)):
            raise NotRegularError(path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _read_all(file: BufferedReader, max_bytes: int) -> bytes:
    size = os.fstat(file.fileno()).st_size
    # One byte more than it may have: it may grow while it is read.
    data = (file.read(size + 1) or b"") if size <= max_bytes else b""
    data += file.read(max_bytes + 1 - len(data)) if len(data) > size else b""
    if max(size, len(data)) > max_bytes:
        raise OSError(errno.EFBIG, f"larger than {max_bytes:,} bytes")
    return data


def _read_inside(path: Path, written: str, root: Path, max_bytes: int) -> Confined | Refusal:
    with _regular(path, _FLAGS | getattr(os, "O_NOFOLLOW", 0)) as file:
        # Symlinks may have appeared between the check of the path and the open: what counts is what was opened.
        if not _really_at(file.fileno(), path).is_relative_to(root):
            return Refusal(RefusalKind.OUTSIDE_ROOT, f"{written} lies outside {root}")
        return Confined(path, _read_all(file, max_bytes))


def _really_at(descriptor: int, path: Path) -> Path:
    """Return where an opened file is, as far as the system says; or else the path that it was opened by."""
    try:
        return Path(f"/proc/self/fd/{descriptor}").readlink()
    except OSError:
        return path


def _words(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def below_here(path: Path) -> Path:
    """Return a path relative to the working folder if it lies below it, else an absolute one."""
    whole, here = Path(os.path.normpath(path.absolute())), Path.cwd()
    return whole.relative_to(here) if whole.is_relative_to(here) else whole
