"""From the bytes of a terminal to keys that meet the screen their author saw: reader, driver, queue."""
