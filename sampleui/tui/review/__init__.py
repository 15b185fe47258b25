"""What the review screen shows and how a review goes on, without its widgets."""
