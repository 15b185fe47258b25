"""A table for rows that no tool is known to write, guessed from their names, types and values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from sampleui.formats.data import DataPath, Plain, Table, items_of, time_of
from sampleui.formats.registry import BY_SUFFIX
from sampleui.review.record import Entry
from sampleui.review.results import fields
from sampleui.review.results.dialect import FAILS, PASSES, STEP_NAMES, user_result_dialect
from sampleui.review.results.scoring import is_measured_in_units
from sampleui.sample.dialects.dialect import DialectMark, value_at
from sampleui.sample.dialects.field import keys
from sampleui.sample.dialects.guessing import is_said
from sampleui.sample.dialects.marks import bears
from sampleui.sample.dialects.table_paths import paths_ending_in, paths_in, values_at, words_in, written_table
from sampleui.sample.talk import talk_in
from sampleui.settings.vocabulary import ROW_PATHS, TELLING, UserTable, Words, steps
from sampleui.text.limits import MAX_GUESSED_DEPTH

_IDS = """
    id _id sample_id case_id test_id example_id question_id task_id item_id eval_id record_id trace_id request_id
    conversation_id thread_id ext_id external_id uid uuid qid key name case test
    sample index idx
"""
_OUTCOMES = """
    passed pass success is_correct correct succeeded resolved accepted match ok exact_match outcome
    verdict automated_verdict judge_verdict llm_verdict judge_label status result grade judgement judgment label
"""
_SCORES = """
    score overall overall_score total_score final_score avg_score mean_score reward rating points accuracy acc f1 em
    exact_match similarity grade value
"""
_EVALUATORS = """
    scores metrics evaluators evaluations evaluator_results graders grades checks assertions evals criteria rubric
    feedback results
"""
_ERRORS = "error error_message errors exception err failure"
_ACTUAL = """
    actual actual_output model_output output response completion prediction predicted pred model_answer
    candidate_answer generated generation hypothesis generated_text reply model_reply model_response llm_response
    llm_output bot_response agent_response final_answer answer output_messages
"""
_EXPECTED = """
    expected expected_output expected_answer reference reference_answer gold golden ground_truth correct_answer
    ideal target label solution answer
"""
_REASONS = "reason reasoning explanation rationale judge_reasoning justification comment feedback"
_PROMPTS = "prompt question input inputs query instruction problem request task user_input"
_MESSAGES = """
    messages conversation conversations transcript trajectory chat dialogue dialog turns utterances history
    chat_history message_history exchanges thread events
"""
_TARGETS = "model model_name target provider agent engine system"
_ATTEMPTS = "attempt trial epoch repeat iteration sample_index rollout try"
_TAGS = "tags labels category topic subject group"
_LABELS = keys(_TAGS)
TEXTS = " ".join((_IDS, _ACTUAL, _EXPECTED, _REASONS, _PROMPTS)).replace(" value ", " ")
"""What columns are called that hold ids, prompts, answers and reasons."""

_VAGUE = keys("answer grade result value points rating similarity match ok label name")
"""Names that samples have as well, which have not been run."""

_UNSCALED = keys("rating points grade value similarity")
_FIGURES = keys("metrics results feedback criteria rubric")
_OF_ANY_RUN = keys("status result ok success succeeded")
"""Names of outcomes that a run may have as well that ended well with a wrong answer."""

_PEOPLE = keys("human annotator annotators expert manual person reviewer rater user thumbs")
_SAID_OF_IT = keys("""
    annotation assessment comment comments decision down eval feedback grade judgement judgment label labels note
    notes pass passed rating review score thumbs up verdict vote
    """)
"""Words of a name under which it stands what a person said of an answer: one of each."""

_GRADED_WORDS = keys("pass fail passed failed")

_OF_RUNS = keys("ok success succeeded successful error errored failure")
_GRADINGS = keys(
    f"{_EVALUATORS} eval evaluation result grading judge judgement judgment verdict grade score outcome"
)
"""Keys under which a number or a truth is what evaluators gave."""

_NAME = re.compile(r"[A-Za-z][\w#.-]{1,60}")
_DIGITS = re.compile(r"[0-9]+")
_DIALLED = re.compile(r"[+\d\s()./-]*+")
"""A number of a telephone, which nobody says."""
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d|$)|(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d", re.ASCII
)
"""A time, as ISO 8601 and as the headers of mails write it."""
_WRITTEN = keys("draft drafted generated predicted suggested")
_MADE = _WRITTEN | keys("bot llm model")
_ANSWERING = _MADE | keys("""
    a actual agent ai answer answered antwort assistant candidate caption completion email extracted extraction
    final fix generation hypothesis mt output parsed patch prediction reply response réponse respuesta said sql
    suggestion summary transcribed translated translation tutor
    """)
_ASKING = keys("""
    abstract article ask asked body caller client cmd command complaint customer document frage goal human inquiry
    input instruction issue message nl ocr page passage post pregunta problem prompt q query question request source
    src student task tweet typed user
    """)
"""Words of names under which logs of products keep what was answered, and what was asked."""

_MEANT_ALONE = frozenset(("nl",))
"""Words of those that tell it only as a whole name: beside others they are a language."""

_COMMANDS = frozenset(("cmd", "command"))
_KEY = re.compile(r"(?=\D*\d)[\w-]{8,64}", re.ASCII)
"""What may be an id that a program drew."""

_SHORT_WORD = 3
"""Letters of a word by which names of the same kind differ: a language, a number."""

_THESE_YEARS = (2010, 2040)
"""Years of which a number may be a time though no name says so."""

_SPENT = ("tokens", "cost", "milliseconds", "seconds")
_CALLED = ("id", "uuid", "uid", "key", "number", "no", "ref", "file", "run", "session", "case")
_INNER = ("score", "value", "passed", "pass", "success", "verdict", "result", "correct")
_ENDS = (5.0, 10.0, 100.0)


def guessed_rows(rows: Sequence[Table], container: DataPath = ()) -> UserTable | None:
    """Return the table for some rows, None if nothing in them looks like an outcome of something with an id.

    Args:
        rows: rows to look at.
        container: the keys they are under.
    """
    guess = _Guess(rows)
    guess.take_label()
    for key, names, fits in _FIELDS:
        guess.take(key, names, fits)
    guess.take_id_of_decks()
    words = guess.made
    said = [key for key in ("id", "prompt", "messages", "actual") if key in words]
    if "label" not in words:
        said = [key for key in said if key != "actual"]
    graded = _graded_by(words)
    if not (said and graded):
        return None
    usual = (str(words[said[0]]), str(words[graded[0]]))
    if not any(_has(row, usual) for row in rows):
        return None  # it was put together from rows of several kinds, and reads none of them
    return {**_under(container), **_ordered(words), **guess.words(), **_marks(rows, words, usual)}


def guessed_records(rows: Sequence[Table], container: DataPath = ()) -> UserTable | None:
    """Return the table for rows that nobody graded, None if there is nothing to read in them.

    Names tell most of it, and the shapes of values the rest: of the texts that are said and whose names tell
    nothing, the last is taken for the answer, and the longest before it for what was asked.

    Args:
        rows: rows to look at.
        container: the keys they are under.
    """
    guess = _Guess(rows)
    guess.take_id()
    guess.take_label()
    for key, names, fits in _FIELDS:
        if key not in (*TELLING, "id", "prompt", "reason", "tags") or key == "error":
            guess.take(key, names, fits)
    guess.take_text_of_answer()
    guess.take_by_shape()
    guess.take("reason", _REASONS, _is_text)
    words = guess.made
    read = [str(words[key]) for key in ("messages", "prompt", "actual", "steps") if key in words]
    if not read:
        return None
    shared = tuple(path for path in read if all(_has(row, (path,)) for row in rows))
    return {**_under(container), **_ordered(words), "marks": shared or (read[0],)}


def _under(container: DataPath) -> dict[str, Words]:
    return {"container": ".".join(map(str, container))} if container else {}


def _ordered(words: dict[str, Words]) -> dict[str, Words]:
    return {"id": words["id"], **words} if "id" in words else words


def marked(table: UserTable, rows: Sequence[Table]) -> UserTable:
    """Return a table whose marks are of the paths that it names now, all rows having them."""
    words = {key: value for key, value in table.items() if key != "marks"}
    read = [str(path) for key in ("id", "messages", "prompt", "actual") if (path := words.get(key))]
    shared = tuple(path for path in read if all(_has(row, (path,)) for row in rows))
    return {**words, "marks": shared[:2]} if shared else words


def _marks(rows: Sequence[Table], words: Mapping[str, Words], usual: tuple[str, str]) -> dict[str, Words]:
    """Return what the rows are recognized by: an id and an outcome, if all have them that say how they came out.

    Else it is what all those have; if that is not two keys, nothing is returned: then any id with any outcome
    or error is one.
    """
    paths = {key: str(value) for key, value in words.items() if key in ROW_PATHS and isinstance(value, str)}
    telling_rows = [row for row in rows if any(_has(row, (path,)) for key, path in paths.items() if key in TELLING)]
    if all(_has(row, usual) for row in telling_rows):
        return {"marks": usual}
    shared = tuple(path for path in paths.values() if all(_has(row, (path,)) for row in telling_rows))
    return {"marks": shared} if len(shared) > 1 else {}


def _has(row: Table, paths: Sequence[str]) -> bool:
    return bears(row, DialectMark(tuple(map(steps, paths))))


def is_of_a_run(table: UserTable) -> bool:
    """Tell whether a table describes rows that a run wrote, rather than samples to be run.

    Such rows have an answer or an error besides the outcome, or an outcome beside an id; one of the two at least is
    called by a name that samples do not have.
    """
    answered = [key for key in ("actual", "error") if key in table]
    if _is_answered(table):  # something at work says how the answer came about, or whose it is
        named = _MADE.intersection(words_in(str(table["actual"])))
        return bool({"steps", "target", "time", *_SPENT} & table.keys() or named)
    graded = _graded_by(table)
    vague = answered == ["actual"] and _last(table["actual"]) in _VAGUE
    if vague and "prompt" in table and "outcome" not in table:
        return False  # a question, its answer and a number are a data set
    sure = {key for key in (*answered, *graded) if str(table[key]).rpartition(".")[2].lower() not in _VAGUE}
    return bool(sure) if answered and graded else bool(sure & {"outcome", "score"}) and "id" in table


def _is_answered(table: UserTable) -> bool:
    """Tell whether a table describes records that nobody graded: something was asked, and something answered."""
    return bool({"prompt", "messages", "steps"} & table.keys()) and "actual" in table and not _graded_by(table)


def _graded_by(table: UserTable) -> list[str]:
    return [key for key in ("outcome", "score", "evaluators") if key in table]


def may_decide(table: UserTable, facts: Entry, row: Table) -> bool:
    """Tell whether what evaluators gave to a row decides by itself whether it passed, by a guessed table.

    A score does that is called one and is from 0 to 1, or of a hundred, as far as the rows show. A grade, a rating
    or a plain number among metrics may be of any scale, and small ones may be the best; that of a row without an
    answer or an id may be of a data set.
    """
    if not is_of_a_run(table):
        return False
    if "score" in table:
        return table.get("scale") in (None, (0.0, _ENDS[-1])) and _last(table["score"]) not in _UNSCALED
    path = str(table.get("evaluators", ""))
    value = value_at(row, steps(path)) if path else None
    plain = isinstance(value, dict) and not any(isinstance(item, dict) for item in value.values())
    return _last(path) not in _FIGURES or not plain or any(grade.verdict is not None for grade in facts.grades)


def _last(path: Words) -> str:
    return str(path).rpartition(".")[2].lower()


def written_rows(name: str, table: UserTable, rows: Sequence[Table] = ()) -> str:
    """Return a table as the text of a settings file, with the view of the rows where there are any to be read.

    What is graded or compared, and a conversation, is shown as that, and needs no view.
    """
    text = written_table("results", name, table)
    if not rows or _graded_by(table) or {"expected", "messages"} & table.keys():
        return text
    from sampleui.review.results.usual_view import usual_view
    from sampleui.settings.edited_text import written_view

    view = usual_view(rows, user_result_dialect(name, table))
    return f"{text}\n{written_view(name, view)}" if view else text


class _Place:
    """A path of some rows, and what shows of the values that stand there, each told once.

    Attributes:
        path: the path.
        rows: the rows.
        values: what stands there, without nulls.
        key: the last of its keys.
        words: the words of that key, in small letters.
        last_word: the last of these; empty where there is none.
    """

    def __init__(self, path: str, rows: Sequence[Table]) -> None:
        self.path, self.rows = path, rows
        self.values = [value for value in values_at(rows, path) if value is not None]
        self.key = steps(path)[-1]
        self.words = words_in(self.key)
        self.last_word = next(reversed(self.words), "")

    @cached_property
    def are_texts(self) -> bool:
        """Whether texts alone stand there."""
        return all(isinstance(value, str) for value in self.values)

    @cached_property
    def is_spoken(self) -> bool:
        """Whether these are texts, one of several words at least."""
        return self.are_texts and any(len(str(value).split()) > 1 for value in self.values)

    @cached_property
    def is_varied(self) -> bool:
        """Whether it is not the same in all rows, as an instruction is."""
        return len({*map(str, self.values)}) > 1 or len(self.rows) == 1

    @cached_property
    def is_told_anew(self) -> bool:
        """Whether most rows have a text of several words, each another one: no remark about it."""
        spoken = {value for value in self.values if isinstance(value, str) and len(value.split()) > 1}
        return 2 * len(spoken) > len(self.rows)

    @cached_property
    def is_said(self) -> bool:
        """Whether these are texts that somebody may have said or written, commands and patches among them."""
        from sampleui.sample.sections import is_diff  # most rows are of a tool, and nothing is guessed

        if not self.are_texts or all(_DIALLED.fullmatch(str(value)) for value in self.values):
            return False
        is_written = not _WRITTEN.isdisjoint(self.words) or (self.last_word in _COMMANDS and self.is_spoken)
        return is_said(self.path, self.values) or is_written or all(is_diff(str(value)) for value in self.values)

    @cached_property
    def is_chat(self) -> bool:
        """Whether these are lists of messages."""
        return all(map(talk_in, self.values))

    @cached_property
    def tells(self) -> int:
        """What the names on the path tell: 1 that it was answered, -1 that it was asked, 0 nothing.

        The first key decides that tells anything, so that the body of an e-mail that was drafted is an answer; in
        it the last word that does.
        """
        for key in steps(self.path):
            words = words_in(key)
            words = [word for word in words if len(words) == 1 or word not in _MEANT_ALONE]
            votes = [1 if word in _ANSWERING else -1 for word in words if word in _ANSWERING | _ASKING]
            if votes:
                return votes[-1]
        return 0

    def is_in(self, other: str) -> bool:
        """Tell whether it is another path, or further inside."""
        return self.path == other or self.path.startswith(f"{other}.")

    def rank(self) -> list[int]:
        """Return where it stands in the first row that has it: the number of each of its keys."""
        keys = steps(self.path)
        row: Plain = next(row for row in self.rows if value_at(row, keys) is not None)
        ranks = []
        for key in keys:
            assert isinstance(row, dict)
            ranks.append([*row].index(key))
            row = row[key]
        return ranks


class _Guess:
    """What is guessed so far; a path stands for one thing only."""

    def __init__(self, rows: Sequence[Table]) -> None:
        self.rows = rows
        self.made: dict[str, Words] = {}
        self._places = {path: _Place(path, rows) for path in paths_in(rows, MAX_GUESSED_DEPTH)}

    def take(self, key: str, names: str, fits: Callable[[Plain], bool]) -> None:
        """Take the first path that ends in one of the names and whose values fit, by the order of the names."""
        taken = [*map(str, self.made.values())]
        for path in paths_ending_in([*self._places], names.split()):
            place = self._places[path]
            if any(map(place.is_in, taken)) or not place.values or not all(map(fits, place.values)):
                continue
            if key in ("outcome", "score") and not _GRADINGS.issuperset(map(str.lower, path.split(".")[:-1])):
                continue  # far from the row's own keys it may be anything
            if key == "score" and (is_measured_in_units(_last(path)) or _are_times(place)):
                continue
            if key == "id" and not self._tells_rows_apart(place):
                continue
            if key != "outcome" or _settles(place.values, _last(path)):
                self.made[key] = path
                return

    def _tells_rows_apart(self, place: _Place) -> bool:
        """Tell whether what stands at a path is another one in each row, or in each of a target or an attempt.

        What is called an id may be repeated by tries that nothing else tells apart.
        """
        beside = paths_ending_in([*self._places], f"{_TARGETS} {_ATTEMPTS}".split())
        apart = [steps(path) for path in (place.path, *beside)]
        keys = {tuple(str(value_at(row, path)) for path in apart) for row in self.rows}
        others = len({*map(str, place.values)}) > 1 and place.last_word in _CALLED
        return others or len(keys) == len({*map(str, self.rows)})

    def take_label(self) -> None:
        """Take what a person said of the answers, by words such as `human_label`."""
        self._take_first("label", filter(_are_of_people, self._free()))

    def take_id(self) -> None:
        """Take what tells all rows apart: `id` itself, what is called an id, or what looks like one."""
        ids = sorted(filter(self._is_id, self._free()), key=lambda place: place.path.lower() != "id")
        others = [place for place in self._free() if place.tells <= 0]
        self._take_first("id", ids or [place for place in others if _tell_apart(place.values, len(self.rows))])

    def take_id_of_decks(self) -> None:
        """Take what would be the deck of each row for its id, where it is another one for each row."""
        deck = self.made.get("deck")
        if "id" not in self.made and deck and self._is_id(self._places[str(deck)]) and len(self.rows) > 1:
            self.made = {"id": deck, **{key: path for key, path in self.made.items() if key != "deck"}}

    def take_text_of_answer(self) -> None:
        """Take the text of an answer that is a table, where there is one text of several words in it."""
        texts = [place.path for place in self._inside(str(self.made.get("actual", ""))) if place.is_spoken]
        self.made |= {"actual": texts[0]} if len(texts) == 1 else {}

    def take_by_shape(self) -> None:
        """Take what no usual name tells: the answer, what was asked, the steps, the time and a tag."""
        self._take_chat()
        if "messages" not in self.made:
            self._take_answer()
            self._take_question()
            self._take_translation()
        for key, fits in _SHAPES:
            places = [place for place in self._free() if fits(place)]
            if key != "milliseconds" or len(places) == 1:  # of several none need be the whole
                self._take_first(key, sorted(places, key=lambda place: place.last_word not in _LABELS))

    def _take_chat(self) -> None:
        """Take a list of messages for what was asked, where a text outside of it is the answer, else for both.

        Beside one of a usual name it is the longest: what was asked may be told once more with the answer.
        """
        named = self.made.pop("messages", None)
        chats = [place for place in self._free() if place.is_chat or place.path == named]
        replies = [place for place in chats if all(map(_is_reply, place.values))]
        if len(chats) > len(replies):
            self._take_first("actual", replies)
        known = {"actual", "prompt"} & self.made.keys() if named else set[str]()
        said = [place for place in self._said() if place.tells > 0 and place.is_spoken and place.is_varied]
        is_answered = not known and ("actual" in self.made or bool(said))
        if named:
            chats.sort(key=lambda place: (-sum(map(len, map(talk_in, place.values))), place.path != named))
        free = {place.path for place in self._free()}
        chats = [place for place in chats if place.path in free]
        self._take_first("prompt" if is_answered else "messages", chats)

    def _take_answer(self) -> None:
        """Take the longest texts that names say were answered, else such a table, else the last that is said."""
        said = self._said()
        said = [place for place in said if place.is_varied] or said
        named = [place for place in said if place.tells > 0]
        spoken = [place for place in named if place.is_spoken]
        if not spoken:
            self._take_first("actual", (place for place in self._free() if place.tells > 0 and _are_tables(place)))
        silent = [place for place in said if place.tells == 0]
        last = sorted((place for place in silent if place.is_told_anew), key=_Place.rank)[-1:]
        self._take_longest("actual", spoken or named or last or silent or said)
        self._take_whole_answer([place.path for place in silent])

    def _take_whole_answer(self, silent: Sequence[str]) -> None:
        """Take a table for the answer whose texts are all told anew, instead of the one that no name tells."""
        answer = str(self.made.get("actual", ""))
        for table in [path for path in self._places if answer in silent and answer.startswith(f"{path}.")][-1:]:
            inside = self._inside(table)
            if len(inside) > 1 and all(place.is_spoken and place.is_varied for place in inside):
                self.made["actual"] = table

    def _take_question(self) -> None:
        """Take what names say was asked, else the longest text before the answer, else any that is said."""
        said, answer = [place for place in self._said() if place.tells <= 0], self.made.get("actual")
        paths = [*self._places]
        spoken = [place for place in said if place.is_varied and place.is_spoken]
        before = [place for place in spoken if answer in paths[paths.index(place.path) :]]
        named = [place for place in said if place.tells < 0]
        named = [place for place in named if place.is_varied] or before or named
        plain = [place for place in said if not _are_tags(place)]
        things = [place for place in self._free() if place.last_word in _ASKING and place.is_told_anew]
        self._take_longest("prompt", named or spoken or plain or things)
        self._take_first("prompt", filter(_are_remarks, self._free()))

    def _take_translation(self) -> None:
        """Take a `target` for the answer to a `source`, where nothing else is one."""
        pair = [
            self._places[str(path)].last_word
            for key in ("prompt", "expected")
            if (path := self.made.get(key)) is not None
        ]
        if "actual" not in self.made and pair == ["source", "target"]:
            self.made["actual"] = self.made.pop("expected")

    def _free(self) -> list[_Place]:
        """Return the places with a value of which nothing is taken yet, in the order of the rows."""
        taken = [self._places[str(path)] for path in self.made.values()]
        return [
            place
            for place in self._places.values()
            if place.values and not any(place.is_in(other.path) or other.is_in(place.path) for other in taken)
        ]

    def _said(self) -> list[_Place]:
        return [place for place in self._free() if place.is_said]

    def _inside(self, path: str) -> list[_Place]:
        return [place for place in self._places.values() if place.path.startswith(f"{path}.")]

    def _take_first(self, key: str, places: Iterable[_Place]) -> None:
        first = next(iter(places), None)
        if key not in self.made and first is not None:
            self.made[key] = first.path

    def _take_longest(self, key: str, places: Sequence[_Place]) -> None:
        """Take the longest texts, of places whose last word is a name for it if there are any."""
        names = _ANSWERING if key == "actual" else _ASKING
        places = _without_twins(places)
        named = [place for place in places if place.last_word in names] or places
        self._take_first(key, sorted(named, key=lambda place: -sum(map(len, map(str, place.values)))))

    def _is_id(self, place: _Place) -> bool:
        once = len({*map(str, place.values)}) == len(place.values) == len(self.rows)
        return once and all(map(_is_name, place.values)) and place.last_word in _CALLED

    def words(self) -> dict[str, Words]:
        """Return what is added to the paths: words of the outcome that are not usual, the scale."""
        added: dict[str, Words] = {}
        if "outcome" in self.made:
            words = {value.strip().lower() for value in self._values_of("outcome") if isinstance(value, str)}
            if words - PASSES - FAILS:
                added = {"passes": tuple(sorted(words & PASSES)), "fails": tuple(sorted(words - PASSES))}
        scores = [fields.number(value) for value in self._values_of("score")]
        scale = _scale([number for number in scores if number is not None])
        return added if scale is None else {**added, "scale": scale}

    def _values_of(self, key: str) -> Sequence[Plain]:
        return self._places[str(self.made[key])].values if key in self.made else ()


def _without_twins(places: Sequence[_Place]) -> list[_Place]:
    """Return places without those that are as an earlier one but for a last word such as `fr`, `2` or `b`."""
    first: dict[tuple[str, ...], _Place] = {}
    for place in places:
        words = words_in(place.path)
        is_twin = len(words) > 1 and len(words[-1]) <= _SHORT_WORD
        first.setdefault((*words[:-1], "") if is_twin else (*words,), place)
    return [*first.values()]


def _tell_apart(values: Sequence[Plain], rows: int) -> bool:
    """Tell whether values look like ids: all different, and in order, of one length or numbered."""
    texts = [str(value) for value in values if isinstance(value, str | int) and not isinstance(value, bool)]
    if len({*texts}) != rows or rows < 2 or all(time_of(value) is not None for value in values):
        return False
    if all(text.isdecimal() for text in texts) and len({int(b) - int(a) for a, b in pairwise(texts)}) == 1:
        return abs(int(texts[1]) - int(texts[0])) == 1
    are_keys = len({*map(len, texts)}) == 1 and all(map(_KEY.fullmatch, texts))
    are_numbered = all(map(_NAME.fullmatch, texts)) and len({_DIGITS.sub("0", text) for text in texts}) == 1
    return (are_keys or are_numbered) and not any(map(_is_time, texts))


def _settles(values: Sequence[Plain], name: str) -> bool:
    """Tell whether values of an outcome are truths, 0 and 1, or words of which one at least is known to pass.

    Under a name that a run may have too that ended well, they are words that are of answers alone.
    """
    words = {value.strip().lower() for value in values if isinstance(value, str)}
    good = words & PASSES
    if name == "label":  # else it is what is to be answered
        return bool(words) and words <= _GRADED_WORDS
    if words and name in _OF_ANY_RUN and (good or words) <= _OF_RUNS:
        return False
    if not words and name in _OF_ANY_RUN and len(values) > 1 and all(values):
        return False  # a call that went well says nothing of its answer
    return words <= PASSES | FAILS or (len(words) <= len(FAILS) and bool(words & PASSES))


def _scale(scores: Sequence[float]) -> tuple[float, float] | None:
    """Return the worst and the best score that some scores may be of, None if they are from 0 to 1."""
    least, most = min(scores, default=0.0), max(scores, default=1.0)
    if least >= 0 and most <= 1:
        return None
    if least < 0:
        end = next(
            (end_of_scale for end_of_scale in (1.0, *_ENDS) if max(-least, most) <= end_of_scale), max(-least, most)
        )
        return (-end, end)
    end = next((end_of_scale for end_of_scale in _ENDS if most <= end_of_scale), most)
    return (1.0 if end == _ENDS[0] and least >= 1 else 0.0, end)


def _is_reply(value: Plain) -> bool:
    """Tell whether a conversation is nothing but what a model said."""
    return all(message["role"] == "assistant" for message in talk_in(value))


def _is_time(value: Plain) -> bool:
    return isinstance(value, str) and _TIME.match(value) is not None


def _are_times(place: _Place) -> bool:
    """Tell whether values are times; numbers are by their name, or if all are of these years and no ids."""
    from sampleui.sample.sections import is_name_of_moment

    if all(map(_is_time, place.values)):
        return True
    times = [time for value in place.values if (time := time_of(value)) is not None]
    if len(times) < len(place.values) or place.last_word in _CALLED:
        return False
    return is_name_of_moment(place.key) or all(_THESE_YEARS[0] <= time.year < _THESE_YEARS[1] for time in times)


def _are_of_people(place: _Place) -> bool:
    """Tell whether it stands at a path what a person said of an answer, and not what somebody asked."""
    named = not _PEOPLE.isdisjoint(place.words) and not _SAID_OF_IT.isdisjoint(place.words)
    return named and not any(map(talk_in, place.values))


def _are_spans(place: _Place) -> bool:
    return place.last_word == "ms"


def _are_models(place: _Place) -> bool:
    return place.last_word == "model" and all(map(_is_target, place.values))


def _are_tags(place: _Place) -> bool:
    """Tell whether a word stands at a path, one of few, or a list of labels."""
    if place.last_word in _LABELS and all(isinstance(value, list) and _is_texts(value) for value in place.values):
        return True
    words = {value for value in place.values if isinstance(value, str) and len(value.split()) == 1}
    few = 1 < len(words) <= max(2, len(place.values) // 4)
    return few and all(isinstance(value, str) and value in words for value in place.values)


def _are_tables(place: _Place) -> bool:
    return all(isinstance(value, dict) for value in place.values)


def _are_remarks(place: _Place) -> bool:
    """Tell whether lists stand at a path of what several said: tables with a text of several words in each."""
    return all(isinstance(value, list) and value and all(map(_is_remark, value)) for value in place.values)


def _is_remark(value: Plain) -> bool:
    texts = [item for item in value.values() if isinstance(item, str)] if isinstance(value, dict) else []
    words = {len(text.split()) == 1 for text in texts if text}
    return words == {True, False} and not _is_step(value)


def _are_steps(place: _Place) -> bool:
    return all(isinstance(value, list) and value and all(map(_is_step, value)) for value in place.values)


def _is_step(value: Plain) -> bool:
    """Tell whether a value is something that was done, and no definition of a tool."""
    if not isinstance(value, dict) or not {"role", "parameters", "input_schema"}.isdisjoint(value):
        return False
    function = value.get("function")
    is_defined = isinstance(function, dict) and "arguments" not in function
    return not is_defined and any(key in value for key in STEP_NAMES)


def _is_outcome(value: Plain) -> bool:
    return isinstance(value, bool | str) or value in (0, 1)


def _is_graded(value: Plain) -> bool:
    if isinstance(value, dict):
        value = {key: item for key, item in value.items() if not _is_no_score(key)}
    items = items_of(value)
    inner = [item for item in items if isinstance(item, dict)]
    if isinstance(value, list):
        return bool(inner) and all(any(key in item for key in _INNER) for item in inner)
    plain = [item for item in items if isinstance(item, bool | int | float)]
    return bool(plain) or any(any(key in item for key in _INNER) for item in inner)


def _is_no_score(name: str) -> bool:
    """Tell whether a name is that of a time or of what is measured, and not of a score."""
    from sampleui.sample.sections import is_name_of_moment

    return is_measured_in_units(name) or is_name_of_moment(name)


def _is_name(value: Plain) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) <= 200


def _is_texts(value: Plain) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value))


def _is_target(value: Plain) -> bool:
    """Tell whether a value is a name, and no instructions to whatever has one."""
    return isinstance(value, str) and len(value.split()) <= 4 and not value.rstrip().endswith(".")


def _is_deck(value: Plain) -> bool:
    return isinstance(value, str) and value.lower().endswith(tuple(BY_SUFFIX))


def _is(*kinds: type) -> Callable[[Plain], bool]:
    """Return what tells whether a value is of one of some types; a truth is no number."""
    return lambda value: isinstance(value, kinds) and not isinstance(value, bool)


_is_text, _is_number = _is(str), _is(int, float)
_FIELDS: tuple[tuple[str, str, Callable[[Plain], bool]], ...] = (
    ("outcome", _OUTCOMES, _is_outcome),
    ("score", _SCORES, _is_number),
    ("evaluators", _EVALUATORS, _is_graded),
    ("messages", _MESSAGES, lambda value: bool(talk_in(value, loosely=True))),
    ("id", _IDS, _is_name),
    ("error", _ERRORS, _is(str, dict)),
    ("prompt", _PROMPTS, _is(str, list, dict)),
    ("actual", _ACTUAL, lambda _: True),
    ("expected", _EXPECTED, lambda _: True),
    ("reason", _REASONS, _is_text),
    ("target", _TARGETS, _is_target),
    ("attempt", _ATTEMPTS, lambda value: _is_number(value) and isinstance(value, int) and time_of(value) is None),
    ("tags", _TAGS, _is_texts),
    ("suite", "suite task_name benchmark", _is_text),
    ("milliseconds", "latency_ms duration_ms", _is_number),
    ("seconds", "duration latency elapsed duration_s latency_s seconds", _is_number),
    ("cost", "cost cost_usd price", _is_number),
    ("tokens", "usage token_usage tokens", _is(dict)),
    ("time", "timestamp created_at time", lambda value: _is_text(value) or time_of(value) is not None),
    ("deck", "dataset dataset_path deck eval_file source_file file", _is_deck),
)
"""What a row may say, the names of keys for it, and which values fit; in this order paths are taken."""

_SHAPES: tuple[tuple[str, Callable[[_Place], bool]], ...] = (
    ("steps", _are_steps),
    ("time", _are_times),
    ("milliseconds", _are_spans),
    ("target", _are_models),
    ("tags", _are_tags),
)
"""What rows may have that no usual name tells, and which values of a path are it; in this order they are taken."""
