"""A user's own dialects: a table of the settings, turned into the same kind of table as shipped dialects have."""

from __future__ import annotations

from collections.abc import Mapping

from sampleui.formats.data import DataPath
from sampleui.sample.dialects.dialect import Conversion, Dialect, DialectMark, Expected, Spelling, Turns
from sampleui.sample.dialects.field import Field
from sampleui.settings.vocabulary import ROLES, UserTable, containers_of, paths_at, texts_at


def user_dialect(name: str, table: UserTable) -> Dialect:
    """Return a dialect as its user's table says.

    Args:
        name: its name.
        table: the table, which `settings.vocabulary.read_tables` found right.
    """
    messages, prompt = paths_at(table, "messages"), paths_at(table, "prompt")
    wanted, ids, tags = (paths_at(table, key) for key in ("response", "id", "tags"))
    system, added = paths_at(table, "system"), paths_at(table, "added")
    under = containers_of(table)
    fields = dict(types) if isinstance(types := table.get("fields"), Mapping) else {}
    paths = (*messages, *prompt, *wanted, *ids, *tags, *system, *added)
    metadata = str(table.get("metadata", ""))
    known = {*(str(path[0]) for path in paths), *fields, *([metadata] if metadata else ())}
    required = frozenset(texts_at(table, "required"))
    return Dialect(
        name=name,
        title=str(table.get("title", name)),
        containers=under,
        formats=(),
        message_paths=(*messages, *prompt),
        expected=Expected(paths=wanted),
        tag_paths=tags,
        marks=_marks(table, under, messages, prompt),
        turns=Turns(
            spelling=_spelling(table),
            shorthand=True,
            any_input=bool(table.get("any_input")),
            plain=bool(table.get("plain_turns")),
            text_path=prompt[0] if prompt else None,
            system=system,
            added=added,
        ),
        id_paths=ids,
        unique_ids=False,
        metadata=metadata,
        fields={key: Field(str(fields.get(key, "any")), key in required) for key in sorted(known | required)},
        conversion=Conversion(text_only=not messages),
    )


def _marks(
    table: UserTable,
    under: tuple[tuple[str, ...], ...],
    messages: tuple[DataPath, ...],
    prompt: tuple[DataPath, ...],
) -> tuple[DialectMark, ...]:
    """Return what the dialect is recognized by: the keys given for that, or else where it has what is asked."""
    marks = paths_at(table, "marks")
    answer_keys = tuple(path[0] for key in ("response", "id") if (path := paths_at(table, key)))
    paths = [marks] if marks else [(path, *answer_keys) for path in (*messages, *prompt)]
    return tuple(DialectMark(has, under=under) for has in paths)


def _spelling(table: UserTable) -> Spelling:
    named = given_roles if isinstance(given_roles := table.get("roles"), Mapping) else {}
    roles = {**{str(table[tag]): role for tag, role in ROLES.items() if tag in table}, **named}
    return Spelling(str(table.get("role_tag", "role")), str(table.get("content_tag", "content")), roles)
