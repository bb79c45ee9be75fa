"""Starts the studio: flags -> Settings -> Studio -> page. Everything else is in `studio`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studio.settings import PROFILES, Settings, default_home


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The flags; loads nothing heavy, so that --help answers at once."""
    parser = argparse.ArgumentParser(
        prog="python app.py", description="Sprightly: from concept art to an engine-ready sheet."
    )
    parser.add_argument(
        "--profile",
        choices=PROFILES,
        default="space" if "SPACE_ID" in os.environ else "local",  # a Hugging Face Space names itself
        help="local: one artist; studio: accounts on a network; space: visitors",
    )
    parser.add_argument(
        "--home", type=Path, help="folder of libraries and jobs (default: SPRIGHTLY_HOME or your data folder)"
    )
    parser.add_argument("--host", help="address to listen on (default: 127.0.0.1; 0.0.0.0 for studio and space)")
    parser.add_argument("--port", type=int, default=7860)
    parser.add_argument("--device", default="auto", help='"auto", "cpu", "cuda", "mps", or several: "cuda:0,cuda:1"')
    parser.add_argument("--backend", default="embedded", help="model that new characters start with")
    parser.add_argument("--download", action="store_true", help="allow fetching weights that are not on this machine")
    parser.add_argument("--no-examples", action="store_true", help="start with an empty library")
    return parser.parse_args(arguments)


def settings_of(flags: argparse.Namespace) -> Settings:
    """One value for the whole run."""
    return Settings(
        home=(flags.home or default_home()).resolve(),
        profile=flags.profile,
        host=flags.host or ("127.0.0.1" if flags.profile == "local" else "0.0.0.0"),
        port=flags.port,
        device=flags.device,
        backend=flags.backend,
        download=flags.download,
        examples=not flags.no_examples,
    )


def quieten(settings: Settings) -> None:
    """Nothing is sent anywhere, and temporary files stay in the studio's home. Before gradio is imported."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["GRADIO_TEMP_DIR"] = str(settings.temporary)
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    if not settings.download:
        os.environ["HF_HUB_OFFLINE"] = "1"


def launch_arguments(settings: Settings) -> dict[str, Any]:
    """What each profile tells gradio. No library folder is served: the page shows copies (field report 8)."""
    from studio.accounts import Accounts

    accounts = Accounts(settings.accounts_path) if settings.profile == "studio" else None
    if accounts is not None and not accounts.names():
        raise SystemExit("Nobody can log in yet. Make an account first: python -m studio accounts add NAME")
    return {
        "server_name": settings.host,
        "server_port": settings.port,
        "auth": accounts.check if accounts else None,
        "allowed_paths": [],
        "blocked_paths": [str(settings.jobs_path), str(settings.accounts_path), str(settings.owners)],
        "max_file_size": settings.max_upload_mb * 1024 * 1024,
        "show_error": False,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    settings = settings_of(parse(arguments))
    quieten(settings)
    import gradio as gr
    import uvicorn
    from fastapi import FastAPI

    from studio import flow
    from studio.live.server import LiveServer
    from studio.studio import Studio
    from studio.ui.app import build_app
    from studio.ui.theme import launch_options
    from studio.worker import Supervisor

    studio = Studio(settings)
    if settings.examples and settings.profile == "local":
        flow.add_examples(studio.desk())
    stage = LiveServer(studio)
    page, host = build_app(studio, stage), FastAPI()
    host.include_router(stage.routes())  # before the page, which answers every other address
    # Mounted rather than launched: `launch` gives up when a busy machine does not answer its own check in time.
    server = gr.mount_gradio_app(host, page, "/", **launch_options(), **launch_arguments(settings))
    print(f"Sprightly is at http://{'127.0.0.1' if settings.host == '0.0.0.0' else settings.host}:{settings.port}")
    with Supervisor(settings):
        uvicorn.run(server, host=settings.host, port=settings.port, log_level="warning")
    return 0


if __name__ == "__main__":
    sys.exit(main())
