"""The screen of a pass: records labelled for codes, blind and in an order by chance."""
