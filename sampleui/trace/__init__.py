"""What a run did: the events of a record, their timeline, and how they compare with what was expected."""
