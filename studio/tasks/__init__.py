"""What a worker runs: one generator of events per kind of job."""
