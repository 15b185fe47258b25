"""What a review is, without a screen: results, the queue, verdicts and figures. `tui/review/` shows them."""
