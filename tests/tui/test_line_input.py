"""The field for one line, which goes by what one sees as one character."""

from __future__ import annotations

from textual.app import App, ComposeResult

from sampleui.tui.widgets.line_input import LineInput

LETTERS = ["a", "👍🏽", "〽\ufe0f", "👩🏽\u200d💻", "🇩🇪", "e\u0301", "\u1100\u1161\u11a8"]


class Field(App[None]):
    def compose(self) -> ComposeResult:
        yield LineInput()


async def test_every_key_of_a_field_goes_by_what_one_sees() -> None:
    async with Field().run_test() as pilot:
        field = pilot.app.query_one(LineInput)

        def at(before: str, after: str = "") -> None:
            field.value = before + after
            field.cursor_position = len(before)

        for letter in LETTERS:
            at(f"x{letter}")
            field.action_cursor_left()
            assert field.cursor_position == 1
            field.action_cursor_right()
            assert field.cursor_position == len(f"x{letter}")
            field.action_cursor_left(select=True)
            assert field.selected_text == letter
            field.action_delete_left()
            assert field.value == "x"
            at(f"x{letter}")
            field.action_delete_left()
            assert field.value == "x"
            at("x", f"{letter}y")
            field.action_delete_right()
            assert field.value == "xy"
        at("one cafe\u0301")
        field.action_delete_left_word()
        assert field.value == "one "
        at("", "cafe\u0301 two")
        field.action_delete_right_word()
        assert field.value == "two"
        at("one two")
        field.action_cursor_left_word()
        field.action_cursor_left_word(select=True)
        assert field.selected_text == "one "
        field.action_cursor_right_word()
        assert field.cursor_position == 4
