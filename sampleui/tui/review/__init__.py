"""The review screen: how a review goes on, what it shows, its widgets and its commands."""
