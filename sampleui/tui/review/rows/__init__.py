"""What a review shows, as rows, pure: the queue, answers beside what was expected, scores, reports."""
