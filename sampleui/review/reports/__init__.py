"""Reports of a run and its review: figures, texts, exports."""
