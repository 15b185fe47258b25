"""Values that take little time to define (`NamedTuple`, `dataclass`, `replace`, `pattern`) and to make many of.

A start of the app defines a hundred such classes. The standard library compiles six functions for each frozen
dataclass, and the annotation of each field of a named tuple; here a class costs one function. Type checkers are
shown the standard library's; its functions `fields`, `asdict`, `replace` and `is_dataclass` take these classes too.
"""

from __future__ import annotations

import dataclasses
import gc
import re
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import MISSING
from operator import attrgetter
from typing import TYPE_CHECKING

__all__ = ["NamedTuple", "collector_off", "dataclass", "pattern", "patterns_when_used", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass, replace
    from re import compile as pattern
    from typing import NamedTuple
else:
    _compile = re.compile  # for which `pattern` may stand

    class pattern:  # noqa: N801 - used as a function
        """A regular expression that is compiled when it is first used, for what few decks or keys need."""

        def __init__(self, pattern, flags=0):
            self.pattern, self._flags = pattern, flags

        def __getattr__(self, name):
            value = self.__dict__[name] = getattr(_compile(self.pattern, self._flags), name)
            return value

    class _NamedTupleMaker(type):
        def __new__(cls, name, _bases, body):
            types = body.pop("__annotations__", {})
            defaults = [body.pop(field) for field in types if field in body]
            named_class = namedtuple(name, types, defaults=defaults, module=body["__module__"])
            named_class.__annotations__ = named_class.__new__.__annotations__ = types
            for key, value in body.items():
                setattr(named_class, key, value)
            return named_class

    class _NamedTupleBase:
        _maker = type.__new__(_NamedTupleMaker, "NamedTuple", (), {})

        def __mro_entries__(self, _bases):
            return (self._maker,)

    NamedTuple = _NamedTupleBase()

    def dataclass(cls=None, *, frozen=False, eq=True, repr=True, slots=False, kw_only=False):
        """Make a class a dataclass: a frozen one here, any other by the standard library."""
        if cls is None:
            return lambda given: dataclass(given, frozen=frozen, eq=eq, repr=repr, slots=slots, kw_only=kw_only)
        if not frozen:
            return dataclasses.dataclass(eq=eq, repr=repr, slots=slots, kw_only=kw_only)(cls)
        parents = [parent.__dict__ for parent in cls.__mro__[:0:-1]]
        if any("__dataclass_fields__" in parent and "_values_fields" not in parent for parent in parents):
            return dataclasses.dataclass(frozen=True, eq=eq, repr=repr, slots=slots, kw_only=kw_only)(cls)
        names = [
            name for name, kind in _annotated(cls) if not str(kind).startswith(("ClassVar", "typing.ClassVar"))
        ]
        own = {name: _field(cls, name, kw_only) for name in names}
        inherited = [parent.get("_values_fields", {}) for parent in parents]
        fields = {name: field for known in (*inherited, own) for name, field in known.items()}
        if slots:
            cls = _slotted(cls, own)
        cls._values_fields = fields
        cls._values_parameters = tuple(name for name, field in fields.items() if field.init)
        cls.__match_args__ = tuple(name for name, field in fields.items() if field.init and not field.kw_only)
        cls.__init__ = _init_of(cls, fields)
        _make_frozen(cls, fields)
        if eq:
            _compare_by(cls, [name for name, field in fields.items() if field.compare])
        if repr and "__repr__" not in cls.__dict__:
            cls.__repr__ = _repr_by([name for name, field in fields.items() if field.repr])
        cls.__dataclass_fields__ = _Lazily("__dataclass_fields__")
        cls.__dataclass_params__ = _Lazily("__dataclass_params__")
        return cls

    def replace(value, /, **changes):
        """Return a value with some of its fields changed."""
        parameters = type(value).__dict__.get("_values_parameters")
        if parameters is None:
            return dataclasses.replace(value, **changes)
        others = {name: getattr(value, name) for name in parameters if name not in changes}
        return type(value)(**others, **changes)

    def _annotated(cls):
        return cls.__dict__.get("__annotations__", {}).items()  # noqa: RUF063 - as they are written

    def _field(cls, name, kw_only):
        """Return a field as its class declares it, and leave its default, if it has one, on the class."""
        default = cls.__dict__.get(name, MISSING)
        field = default if isinstance(default, dataclasses.Field) else dataclasses.field(default=default)
        field.kw_only = kw_only if field.kw_only is MISSING else field.kw_only
        if field is default:
            if field.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, field.default)
        return field

    def _slotted(cls, own):
        """Return a class like one, with slots for its own fields."""
        inherited = {slot for parent in cls.__mro__[1:-1] for slot in parent.__dict__.get("__slots__", ())}
        left_out = {"__dict__", "__weakref__", *own}
        body = {name: value for name, value in cls.__dict__.items() if name not in left_out}
        slotted_class = type(cls)(
            cls.__name__, cls.__bases__, {**body, "__slots__": tuple(name for name in own if name not in inherited)}
        )
        slotted_class.__qualname__ = cls.__qualname__
        slotted_class.__getstate__ = _state
        slotted_class.__setstate__ = _set_state
        return slotted_class

    def _state(self):
        return [getattr(self, name) for name in self._values_fields]

    def _set_state(self, state):
        for name, value in zip(self._values_fields, state, strict=True):
            object.__setattr__(self, name, value)

    def _init_of(cls, fields):
        known = {"_set": object.__setattr__, "_missing": MISSING}
        positional, keywords, body = [], [], []
        for name, field in fields.items():
            value, parameter = name, name
            if field.default is not MISSING:
                parameter = f"{name}=_default_{name}"
                known[f"_default_{name}"] = field.default
            elif field.default_factory is not MISSING:
                parameter, value = f"{name}=_missing", f"_new_{name}() if {name} is _missing else {name}"
                known[f"_new_{name}"] = field.default_factory
            if field.init:
                (keywords if field.kw_only else positional).append(parameter)
            else:
                value = f"_new_{name}()" if field.default is MISSING else f"_default_{name}"
            body.append(f" _set(self, {name!r}, {value})")
        if hasattr(cls, "__post_init__"):
            body.append(" self.__post_init__()")
        parameters = ", ".join(["self", *positional, *(["*", *keywords] if keywords else [])])
        exec("\n".join([f"def __init__({parameters}):", *body, " return None"]), known)
        init = known["__init__"]
        init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
        return init

    def _make_frozen(cls, fields):
        def refuses(self, name):
            return type(self) is cls or name in fields

        def __setattr__(self, name, value):
            if refuses(self, name):
                raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
            super(cls, self).__setattr__(name, value)

        def __delattr__(self, name):
            if refuses(self, name):
                raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
            super(cls, self).__delattr__(name)

        cls.__setattr__, cls.__delattr__ = __setattr__, __delattr__

    def _compare_by(cls, names):
        values = attrgetter(*names) if len(names) > 1 else lambda self: tuple(getattr(self, name) for name in names)

        def __eq__(self, other):
            return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

        def __hash__(self):
            return hash(values(self))

        own = cls.__dict__
        if own.get("__hash__") is None:
            cls.__hash__ = __hash__
        if "__eq__" not in own:
            cls.__eq__ = __eq__

    def _repr_by(names):
        def __repr__(self):
            return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

        return __repr__

    class _Lazily:
        """What the standard library's functions ask of a dataclass, made by the library when it is asked for."""

        def __init__(self, name):
            self.name = name

        def __get__(self, _instance, cls):
            types = {name: kind for parent in cls.__mro__[::-1] for name, kind in _annotated(parent)}
            fields = [(name, types[name], _copied(field)) for name, field in cls._values_fields.items()]
            generated = getattr(dataclasses.make_dataclass(cls.__name__, fields, frozen=True), self.name)
            defined_by = next(parent for parent in cls.__mro__ if parent.__dict__.get(self.name) is self)
            setattr(defined_by, self.name, generated)
            return generated

    def _copied(field):
        return dataclasses.field(
            **({} if field.default is MISSING else {"default": field.default}),
            **({} if field.default_factory is MISSING else {"default_factory": field.default_factory}),
            init=field.init,
            repr=field.repr,
            compare=field.compare,
            kw_only=field.kw_only,
        )


@contextmanager
def patterns_when_used() -> Iterator[None]:
    """Have the patterns of what is imported inside be compiled when a text is first read by them."""
    compile_now = re.compile
    re.compile = pattern
    try:
        yield
    finally:
        re.compile = compile_now


@contextmanager
def collector_off() -> Iterator[None]:
    """Hold the garbage collector off, if it is on, while many values are made and none of them is garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
