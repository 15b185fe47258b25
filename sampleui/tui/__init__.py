"""The terminal app. The only package that imports Textual."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from sampleui.values import patterns_when_used

_TOKENIZER = "textual.css.tokenizer"
_UNUSED = {
    "textual.command": (
        *("CommandListItem", "CommandPalette", "DiscoveryHit"),
        *("Hit", "Hits", "Provider", "SimpleProvider"),
    ),
    "rich.table": ("Table",),
    "textual.pilot": ("Pilot",),
}
"""Modules, and what Textual's app imports of them: the command palette, which it uses only while that is open,
tables, of which it shows only one, with the colours of a theme, and not in an app, and what types keys in tests."""


class _Unused(ModuleType):
    """Stands for a module that is not used; asked for anything that is not known to be so, it gives way to it."""

    def __getattr__(self, name: str) -> Any:
        module = self.__name__
        if name in _UNUSED[module]:
            return type(name, (), {})
        if name.startswith("__"):
            raise AttributeError(name)
        sys.modules.pop(module, None)
        return getattr(import_module(module), name)


def import_textual() -> None:
    """Import asyncio and Textual's app without what ours does not use, or not for its first frame.

    asyncio comes without ssl, as no screen connects. Textual comes without its command palette, in place of which
    there is our own: the palette and the widgets that only it needs are a tenth of the import. Whoever imports
    these afterwards gets them whole. Patterns, a tenth of a start, are compiled when a text is first read by them.
    """
    if "textual.app" in sys.modules:
        return
    finder = _OfTokenizer()
    sys.meta_path.insert(0, finder)
    try:
        with ExitStack() as stack:
            stack.enter_context(patterns_when_used())
            with _standing_for("ssl", None):
                import_module("asyncio")
            for name in _UNUSED:
                stack.enter_context(_standing_for(name, _Unused(name)))
            import_module("textual.app")
            import_module("tomli")
    finally:
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)


def without_pilot() -> AbstractContextManager[None]:
    """Run an app inside without what types its keys in tests, which Textual imports for any run."""
    return _standing_for("textual.pilot", _Unused("textual.pilot"))


@contextmanager
def _standing_for(name: str, module: ModuleType | None) -> Iterator[None]:
    """Have another module stand for one that is not imported yet; with None, there is none of that name."""
    modules: dict[str, ModuleType | None] = sys.modules  # type: ignore[assignment]
    if name in modules:
        yield
        return
    modules[name] = module
    try:
        yield
    finally:
        if modules.get(name) is module:
            modules.pop(name, None)


class _OfTokenizer:
    """Finds the module of Textual that has `Expect`, before any other of Textual's makes patterns by it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to import that module; nothing for any other."""
        spec = PathFinder.find_spec(fullname, path, target) if fullname == _TOKENIZER else None
        if spec is None or spec.loader is None:
            return None
        sys.meta_path.remove(self)
        run = spec.loader.exec_module

        def run_and_change(module: ModuleType) -> None:
            run(module)
            _compile_when_used(module)

        spec.loader.exec_module = run_and_change  # type: ignore[method-assign]
        return spec


def _compile_when_used(tokenizer: Any) -> None:
    """Make each `Expect` of Textual's compile its pattern with the first text that is read by it."""
    usual = tokenizer.Expect

    class Expect(usual):  # type: ignore[misc, valid-type]
        def __init__(self, description: str, **tokens: str) -> None:
            super().__init__(description)
            self.names, self.regexes = [*tokens], [*tokens.values()]
            del self.match, self.search

        def __getattr__(self, name: str) -> Any:
            if name not in ("match", "search"):
                raise AttributeError(name)
            compiled = usual(self.description, **dict(zip(self.names, self.regexes, strict=True)))
            self.match, self.search = compiled.match, compiled.search
            return self.__dict__[name]

    tokenizer.Expect = Expect
