"""From values to rows: what widgets draw, as plain data. Pure."""
