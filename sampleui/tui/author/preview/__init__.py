"""The preview of a sample as rows, pure: the tabs, and where in one of them a value is shown."""
