"""What the studio was started with: fixed at start, passed down, never a global."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Profile = Literal["local", "studio", "space"]
PROFILES: tuple[Profile, ...] = ("local", "studio", "space")


def default_home() -> Path:
    """`SPRIGHTLY_HOME`, else the user's data folder of this operating system."""
    named = os.environ.get("SPRIGHTLY_HOME")
    if named:
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("sprightly", appauthor=False)


@dataclass(frozen=True)
class Settings:
    """Everything that differs between two running studios."""

    home: Path
    """Folder of the libraries, the job store, accounts and temporary files."""
    profile: Profile = "local"
    """local: one artist on this computer; studio: accounts on a network; space: visitors, a library for each."""
    host: str = "127.0.0.1"
    port: int = 7860
    device: str = "auto"
    """"auto", "cpu", "cuda", "mps", or several separated by commas ("cuda:0,cuda:1"): one worker each."""
    backend: str = "embedded"
    """Registry name of the model that new characters start with."""
    max_upload_mb: int = 200
    """Largest file that the page accepts."""
    models_gb: float = 6.0
    """Memory that loaded models may take before the least recently used idle one is dropped."""
    download: bool = False
    """True: weights that are not on this machine may be fetched."""
    examples: bool = True
    """True: an empty library starts with the example characters."""

    @property
    def devices(self) -> tuple[str, ...]:
        """One worker runs for each."""
        return tuple(part.strip() for part in self.device.split(",") if part.strip()) or ("auto",)

    @property
    def jobs_path(self) -> Path:
        """The SQLite job store."""
        return self.home / "jobs.sqlite"

    @property
    def accounts_path(self) -> Path:
        """The SQLite file of accounts; never inside a folder that the page serves."""
        return self.home / "accounts.sqlite"

    @property
    def owners(self) -> Path:
        """One library per owner lives under here."""
        return self.home / "owners"

    @property
    def temporary(self) -> Path:
        """Uploads and the page's own cache."""
        return self.home / "tmp"


def pick_device(name: str) -> str:
    """ "auto" as the best device that torch finds here; any other name as it is. Imports torch."""
    if name != "auto":
        return name
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
