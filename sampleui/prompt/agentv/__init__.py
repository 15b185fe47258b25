"""AgentV's own rendering, version 4: what its providers are sent for a sample, byte for byte."""
