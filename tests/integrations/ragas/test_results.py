"""What the results of Ragas tell, on files that it wrote, and on rows made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.review.record import passed
from sampleui.review.results.file import open_results

RAGAS_TABLE = """user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy,harmfulness
Weather?,['It rains in Paris.'],Rainy.,rainy,1.0,0.93,0
Time?,"['a', ""b's""]",Noon,12:00,0.0,,1
Where?,[],x,y,,,
"""


def test_a_table_of_ragas_is_read_by_its_metrics_and_an_empty_one_is_no_score(tmp_path: Path) -> None:
    (tmp_path / "result.csv").write_text(RAGAS_TABLE)
    results = open_results(tmp_path / "result.csv", ()).indexed()
    assert [passed(one) for one in results.entries] == [True, False, None]
    assert [(one.name, one.score) for one in results.record(1).evaluators] == [
        ("faithfulness", 0),
        ("harmfulness", 1),
    ]
    assert results.record(0).actual == "Rainy."
    assert results.record(0).expected == "rainy"


def test_a_data_set_for_ragas_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(
        "user_input,retrieved_contexts,response,reference\nWeather?,[],Rainy.,rainy\n"
    )
    with pytest.raises(ResultsError):
        open_results(tmp_path / "data.csv", ())
