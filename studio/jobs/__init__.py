"""Work that outlives the page that asked for it."""

from .job import Job, JobEvent, State, Throttle
from .store import JobStore

__all__ = ["Job", "JobEvent", "JobStore", "State", "Throttle"]
