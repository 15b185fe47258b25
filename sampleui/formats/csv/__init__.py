"""CSV and TSV decks: a table with one sample per row, edited as text."""

from sampleui.formats.csv.document import CsvDocument, TsvDocument

__all__ = ["CsvDocument", "TsvDocument"]
