"""What a run did, without a screen: events of a record, their timeline, and how they compare with the expected."""
