"""Write and review the samples of LLM evals, with the files left as their authors formatted them."""
