"""What people and programs touch: parse, call one method of the API, show what it returns. Nothing else."""
