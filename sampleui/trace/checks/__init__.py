"""What a run did, held against what its sample expects: trajectory checks and golden trajectories."""
