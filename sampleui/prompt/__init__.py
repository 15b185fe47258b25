"""From a sample and the files it attaches to what a model and a grader are given."""
