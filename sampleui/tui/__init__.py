"""The terminal app. The only package that imports Textual."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from sampleui.values import patterns_when_used

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
    Of each class of widgets, another tenth, only what it adds to its parents is looked through.
    """
    if "textual.app" in sys.modules:
        return
    finder = _Changing({"textual.css.tokenizer": _compile_when_used, "textual.dom": _look_once})
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


class _Changing:
    """Finds some modules of Textual that are changed before any other uses them."""

    def __init__(self, changes: Mapping[str, Callable[[Any], None]]) -> None:
        self._changes = changes

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to import such a module; nothing for any other."""
        change = self._changes.get(fullname)
        spec = PathFinder.find_spec(fullname, path, target) if change else None
        if spec is None or spec.loader is None or change is None:
            return None
        run = spec.loader.exec_module

        def run_and_change(module: ModuleType) -> None:
            run(module)
            change(module)

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


def _look_once(dom: Any) -> None:
    """Have a class of nodes made of what it adds to its parents, where Textual looks through all that they have."""
    node, reactive = dom.DOMNode, dom.Reactive
    added: dict[type, tuple[dict[str, Any], list[str]]] = {}

    def added_by(cls: type) -> tuple[dict[str, Any], list[str]]:
        if cls not in added:
            own = cls.__dict__
            added[cls] = (
                {name: value for name, value in own.items() if isinstance(value, reactive)},
                [name.lstrip("_")[8:] for name in own if name.startswith(("_compute_", "compute_"))],
            )
        return added[cls]

    def define(
        cls: Any,
        inherit_css: bool = True,
        inherit_bindings: bool = True,
        inherit_component_classes: bool = True,
    ) -> None:
        super(node, cls).__init_subclass__()
        parts = [added_by(parent) for parent in reversed(cls.__mro__)]
        cls._reactives = {name: value for reactives, _ in parts for name, value in reactives.items()}
        cls._computes = frozenset(name for _, computes in parts for name in computes)
        cls._inherit_css = inherit_css
        cls._inherit_bindings = inherit_bindings
        cls._inherit_component_classes = inherit_component_classes
        bases = cls._css_bases(cls)
        cls._css_type_name = bases[0].__name__
        cls._css_type_names = frozenset(base.__name__ for base in bases)
        cls._merged_bindings = cls._merge_bindings()

    node.__init_subclass__ = classmethod(define)
