"""Commands that cut, copy and paste samples, turns and fields, as JSON that other programs read."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from collections.abc import Sequence

from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.data import DataPath, Plain, Table, as_list, shown
from sampleui.formats.operations import Insert, Operation
from sampleui.formats.timestamps import dates_as_texts
from sampleui.sample.convert import case_of
from sampleui.sample.parse import as_pairs, as_texts, dialect_of, json_text, place_of_pairs, value_at
from sampleui.sample.pasting import Pasted, dates_written, dialect_of_copied, in_dialect, read_pasted, refuse_nulls
from sampleui.sample.value_names import path_of
from sampleui.text.wording import counted
from sampleui.tui.author.actions.needs import AUTHOR, a_sample, an_item_or_samples, the_sample
from sampleui.tui.author.actions.samples import (
    Naming,
    begun_sample,
    delete_samples,
    insert_samples,
    messages_near,
    samples_in_words,
)
from sampleui.tui.author.actions.turns import delete_turns, insert_items, turns_in_words, with_results
from sampleui.tui.author.boxes import PasteView
from sampleui.tui.author.nodes import place_for_new, set_or_place
from sampleui.tui.author.preview import copied, is_json
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.screens import asking
from sampleui.workspace.sample_transfer import with_given_name

_GROUP = "Clipboard"
_LISTS = "samples turns"


@AUTHOR.command("turn.copy", "y ctrl+c", "Copy", group=_GROUP, bar=23, needs=a_sample)
async def copy(screen: AuthorScreen) -> None:
    """Copy the text under the cursor, turns or samples as JSON, all of the tab of the preview, or the id."""
    texts: dict[str, tuple[str, str]] = {}
    item, preview = screen.conversation.current, screen.preview
    if not screen.marks.in_list and item is not None and item.parts:
        texts["t"] = ("the text under the cursor", item.parts[screen.conversation.cursor[1]].text)
    if not an_item_or_samples(screen):
        text, dates = _copied(screen)
        in_list = screen.marks.in_list
        chosen = samples_in_words(screen.marks.chosen_samples()) if in_list else turns_in_words(screen)
        as_json = {"o": (f"{chosen} as JSON{dates}", text)}
        texts = as_json | texts if screen.marks.turns or screen.marks.in_list else texts | as_json
    if preview.subject is not None:
        screen.editing.follow()
        how = " as JSON" if is_json(preview.tab) else ""
        shown = {"p": (f"all of the preview, {preview.tab}{how}", copied(preview.subject, preview.tab))}
        texts = shown | texts if screen.scope == "preview" else texts | shown
    texts["i"] = ("the id", the_sample(screen).id)
    await asking.copy_one_of(screen, "turn.copy", "Copy", texts)


@AUTHOR.command("clip.cut", "ctrl+x", "Cut", group=_GROUP, scopes=_LISTS, needs=an_item_or_samples)
async def cut(screen: AuthorScreen) -> None:
    """Copy the sample, turn or field, or all marked ones, to the clipboard as JSON, and delete them here."""
    text, dates = _copied(screen)
    if screen.marks.in_list:
        if not await delete_samples(screen, f"cut {samples_in_words(screen.marks.chosen_samples())}"):
            return
    else:
        delete_turns(screen, f"cut {turns_in_words(screen)}")
    screen.copy(text, "what was cut", dates)


@AUTHOR.command("clip.paste", "ctrl+v", "Paste", group=_GROUP, scopes=_LISTS, bar=24)
async def paste(screen: AuthorScreen) -> None:
    """Paste samples, turns or fields below the cursor, from JSON, YAML or chat; they are shown first."""
    text = await asyncio.to_thread(lambda: screen.app.clipboard)
    await paste_text(screen, text)


async def paste_text(screen: AuthorScreen, text: str) -> None:
    """Show what a text holds and, when that is agreed to, put it below the cursor; an open text takes it."""
    if screen.editing.active:
        await _paste_into_turn(screen, text)
        return
    if not text.strip():
        raise EditRefusedError("the clipboard is empty")
    kind = screen.session.deck.kind
    pasted = await asyncio.to_thread(read_pasted, text, among_samples=screen.marks.in_list)
    pasted = dates_written(pasted, has_dates=screen.session.has_dates)
    if not screen.session.has_null:
        refuse_nulls(pasted)
    if screen.marks.in_list:
        await _paste_samples(screen, _among_samples(screen, pasted))
    elif screen.sample is None or screen.sample.index < 0:
        raise EditRefusedError("there is no sample here to paste into; in the list of samples it becomes one")
    else:
        alone = _turns_alone(screen, pasted)
        if pasted.samples and not alone.turns:
            raise EditRefusedError("what was copied has no turns; in the list of samples it can be pasted whole")
        await _paste_turns(screen, in_dialect(alone, kind))


AUTHOR.pasted = paste_text


async def _paste_into_turn(screen: AuthorScreen, text: str) -> None:
    """Put a text into the empty one that is open; offer to make turns of it if it is a chat."""
    path = screen.editing.empty_turn
    turns, pasted = await asyncio.to_thread(_as_turns, screen, text) if path is not None else ((), None)
    if path is not None and pasted is not None and len(turns) > 1:
        what = counted(len(turns), "turn")
        if await _agreed_to(screen, what, pasted, "Split", "Keep as one text"):
            screen.editing.become_turns(f"paste {what}", path, turns)
            return
    if screen.editing.active:
        screen.conversation.editor.put(text)


async def _agreed_to(
    screen: AuthorScreen, title: str, pasted: Pasted, verb: str = "Paste", instead: str = "Cancel"
) -> bool:
    """Show what is about to be pasted and return whether it is to be, or what stands instead."""
    shown_paste = dataclasses.replace(pasted, how=f"read as {pasted.how}")
    return bool(await screen.answer_to(PasteView(title, shown_paste, verb, instead)))


def _as_turns(screen: AuthorScreen, text: str) -> tuple[Sequence[Plain], Pasted | None]:
    """Return the messages in a text, spelled as the current sample spells its own, and how the text was read."""
    pasted = in_dialect(
        _turns_alone(screen, dates_written(read_pasted(text), has_dates=screen.session.has_dates)),
        screen.session.deck.kind,
    )
    sample = the_sample(screen)
    with contextlib.suppress(EditRefusedError):
        return as_texts(pasted.turns, value_at(sample.data, sample.messages_path), dialect_of(sample)), pasted
    return (), None


def _turns_alone(screen: AuthorScreen, pasted: Pasted) -> Pasted:
    """Return a paste reduced to the turns of its samples, with notes of what is dropped."""
    if not pasted.samples:
        return pasted
    deck = screen.session.deck
    cases = [case_of(data, dialect_of_copied(data, deck.kind, deck.prompts.dialects)) for data in pasted.samples]
    turns = tuple(turn for case in cases for turn in case.messages or () if isinstance(turn, dict))
    others = dict.fromkeys(key for sample in pasted.samples for key in sample if key != "messages")
    notes = (
        (*pasted.notes, f"only turns are pasted here; left out: {', '.join(others)}") if others else pasted.notes
    )
    return dataclasses.replace(pasted, samples=(), turns=turns, notes=notes)


async def _paste_samples(screen: AuthorScreen, pasted: Pasted) -> None:
    deck = screen.session.deck
    naming = Naming(deck)
    if pasted.turns:
        words = next((text for turn in pasted.turns if isinstance(text := turn.get("content"), str)), "")
        added = [naming.with_id_of_words(begun_sample(screen, [*pasted.turns])[0], words)]
    else:
        added = [naming.with_own_id(data) for data in pasted.samples]
    target = screen.index + 1 if screen.sample is not None and screen.index >= 0 else len(deck.samples)
    what = counted(len(added), "sample")
    shown = dataclasses.replace(pasted, samples=tuple(added), turns=())
    if await _agreed_to(screen, f"Paste {what} after sample {target}" if target else f"Paste {what}", shown):
        insert_samples(screen, target, added, f"paste {what}")


async def _paste_turns(screen: AuthorScreen, pasted: Pasted) -> None:
    sample = the_sample(screen)
    count = len(pasted.turns)
    what = counted(count, "turn") if count else f"{', '.join(pasted.fields)}"
    if not await _agreed_to(screen, f"Paste {what} into {sample.id}", pasted):
        return
    if not count:
        changes = _settings(screen, pasted.fields)
        screen.perform(f"paste {what}", *(change for _, change in changes), after=changes[0][0])
        return
    item = screen.conversation.current
    pairs = as_pairs(pasted.turns)
    before = place_of_pairs(sample.data, item.path, dialect_of(sample), below=True) if item is not None else None
    if before is not None and pairs is not None:
        insert_items(screen, before, pairs, f"paste {what}", 0)
        return
    pasted_path = _paste_path(screen)
    listed = value_at(sample.data, pasted_path[:-1])
    own = as_texts(pasted.turns, listed, dialect_of(sample)) if listed is not None else pasted.turns
    insert_items(screen, pasted_path, own, f"paste {what}")


def _settings(screen: AuthorScreen, fields: Table) -> list[tuple[DataPath, Operation]]:
    """Return what sets fields, each with its path; items go below the cursor in their list, or at its end."""
    data, here = the_sample(screen).data, screen.here.path
    ends: dict[DataPath, int] = {}
    operations: list[tuple[DataPath, Operation]] = []
    for key, value in fields.items():
        *around, last = _path_copied(key)
        listed, path = value_at(data, tuple(around)), (*around, last)
        if isinstance(last, int):
            inside = here[len(around)] if here[: len(around)] == (*around,) and len(here) > len(around) else None
            end = inside + 1 if isinstance(inside, int) else len(as_list(listed))
            next_index = ends.get((*around,), end)
            ends[(*around,)], path = next_index + 1, (*around, next_index)
        among = isinstance(last, int) and (listed is not None or path[-1])
        operations.append((path, Insert(path, value) if among else set_or_place(data, path, value)))
    return operations


def _path_copied(key: str) -> DataPath:
    """Return where a value was copied from, by its name; a key that is no such name stands for itself."""
    with contextlib.suppress(PathError):
        if shown(path := path_of(key)) == key:
            return path
    return (key,)


def _paste_path(screen: AuthorScreen) -> DataPath:
    """Return where pasted turns go: below the turn with the cursor, else at the end of the conversation."""
    sample, item = the_sample(screen), screen.conversation.current
    on_turn = item is not None and item.turn is not None and item.path
    messages = value_at(sample.data, sample.messages_path)
    if on_turn and item is not None and isinstance(item.path[-1], int):
        return place_for_new(sample.data, sample.messages_path, item, below=True)
    if messages is not None and not isinstance(messages, list):
        raise EditRefusedError("the messages of this sample are not a list; turns cannot be added to it")
    return (*sample.messages_path, len(messages) if isinstance(messages, list) else 0)


def _among_samples(screen: AuthorScreen, pasted: Pasted) -> Pasted:
    """Return a paste as samples; turns become one sample, where the dialect says how to build one."""
    deck = screen.session.deck
    if pasted.turns and not deck.kind.modelled:
        pasted = dataclasses.replace(pasted, samples=({"messages": [*pasted.turns]},), turns=())
    return in_dialect(pasted, deck.kind, messages_near(screen), deck.prompts.dialects)


def _copied(screen: AuthorScreen) -> tuple[str, str]:
    """Return what is copied as JSON, and what is to be said of its dates, empty if it has none."""
    value = _chosen(screen)
    dates = dates_as_texts({"copied": value})[1]
    return json_text(value), "; dates and times are texts in it" if dates else ""


def _chosen(screen: AuthorScreen) -> Plain:
    deck = screen.session.deck
    if screen.marks.in_list:
        samples = [deck.samples[index] for index in screen.marks.chosen_samples()]
        data: list[Plain] = [with_given_name(deck, sample) for sample in samples]
        return data if len(data) > 1 else data[0]
    paths, sample = with_results(screen, screen.marks.chosen_turns()), the_sample(screen)
    turns = {item.path for item in screen.conversation.items if item.turn is not None}
    values: list[Plain] = [value_at(sample.data, path) for path in paths]
    if turns >= {*paths}:
        return values
    if turns & {*paths}:
        raise EditRefusedError("turns and fields are marked; what is copied at once is one of them")
    return dict(zip(map(shown, paths), values, strict=True))
