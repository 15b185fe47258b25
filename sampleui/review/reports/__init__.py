"""What a run and its review come to: figures, texts, exports."""
