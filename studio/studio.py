"""A running studio, and the desk of one owner in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipelines.memory import ModelCache

from .jobs import Job, JobEvent, JobStore
from .library import Library
from .library.store import owner_folder
from .settings import Settings

LOCAL_OWNER = "me"
"""The one artist of a studio on their own computer."""


@dataclass(frozen=True)
class DeskJobs:
    """The job store as one owner sees it: nobody else's jobs can be named through it."""

    store: JobStore
    owner: str
    worker: str | None = None
    """Set where this process does the work itself (the command line): its jobs never enter the queue."""

    def submit(self, kind: str, title: str, payload: dict[str, Any], character: str = "") -> Job:
        return self.store.submit(self.owner, kind, title, payload, character, self.worker)

    def get(self, job_id: str) -> Job:
        return self.store.get(self.owner, job_id)

    def listed(self, limit: int = 200) -> list[Job]:
        return self.store.listed(self.owner, limit)

    def ahead(self, job: Job) -> int:
        return self.store.ahead(job)

    def cancel(self, job_id: str) -> Job:
        return self.store.cancel(self.owner, job_id)

    def retry(self, job_id: str) -> Job:
        return self.store.retry(self.owner, job_id, self.worker)

    def events(self, job_id: str, after: int = 0) -> list[JobEvent]:
        return self.store.events(self.owner, job_id, after)


@dataclass(frozen=True)
class Desk:
    """All that one owner can reach. Every function of `flow` takes it first."""

    owner: str
    library: Library
    jobs: DeskJobs
    settings: Settings
    models: ModelCache[Any]
    """Loaded models, shared by all desks of this process."""


class Studio:
    """Settings, the job store and the loaded models of one process. Opening it loads no model."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        for folder in (settings.home, settings.owners, settings.temporary):
            folder.mkdir(parents=True, exist_ok=True)
        self.jobs = JobStore(settings.jobs_path)
        self.models: ModelCache[Any] = ModelCache(settings.models_gb)

    def desk(self, owner: str = LOCAL_OWNER) -> Desk:
        """The desk of an owner, named by account or session; a new owner starts with an empty library."""
        library = Library(self.settings.owners / owner_folder(owner))
        (library.root / "characters").mkdir(parents=True, exist_ok=True)
        return Desk(owner, library, DeskJobs(self.jobs, owner), self.settings, self.models)

    def served(self) -> tuple[Path, ...]:
        """Folders that a page may show files from: the libraries, never the databases beside them."""
        return (self.settings.owners,)


__all__ = ["LOCAL_OWNER", "Desk", "DeskJobs", "Studio"]
