"""Accounts of a studio on a network: argon2 hashes in SQLite, and patience with wrong passwords."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pipelines.errors import UserError

SHORTEST = 8
"""Characters of a password."""
FREE_TRIES = 5
"""Wrong passwords in a row before waiting begins."""
LONGEST_WAIT = 900.0
"""Seconds."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS account (
    name TEXT PRIMARY KEY,
    folded TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    next_try REAL NOT NULL DEFAULT 0
)
"""


class AccountError(UserError):
    """A name or password that cannot be taken."""


class Accounts:
    """Names and hashes. `check` is what the page's login calls."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self._clock = clock
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as db:
            db.execute(_SCHEMA)

    def add(self, name: str, password: str) -> None:
        """A new account, or a new password for an old one."""
        from argon2 import PasswordHasher

        name = name.strip()
        if not 1 <= len(name) <= 60 or not name.isprintable():
            raise AccountError("A name has 1 to 60 printable characters.")
        if len(password) < SHORTEST:
            raise AccountError(f"A password has at least {SHORTEST} characters; this one has {len(password)}.")
        try:
            with self._open() as db:
                db.execute(
                    "INSERT INTO account (name, folded, hash) VALUES (?, ?, ?) ON CONFLICT (name) "
                    "DO UPDATE SET hash = excluded.hash, failures = 0, next_try = 0",
                    (name, name.casefold(), PasswordHasher().hash(password)),
                )
        except sqlite3.IntegrityError as error:
            raise AccountError(f"There is an account that differs from {name!r} in capitals only.") from error

    def remove(self, name: str) -> bool:
        """Takes the account away; its library stays on disk."""
        with self._open() as db:
            return db.execute("DELETE FROM account WHERE name = ?", (name.strip(),)).rowcount == 1

    def names(self) -> list[str]:
        with self._open() as db:
            return [row[0] for row in db.execute("SELECT name FROM account ORDER BY name")]

    def check(self, name: str, password: str) -> bool:
        """True for the right password and the name exactly as registered, because the name is the library's owner.

        After five wrong ones in a row every try has to wait, twice as long each time.
        """
        from argon2 import PasswordHasher
        from argon2.exceptions import InvalidHashError, VerificationError

        hasher, now = PasswordHasher(), self._clock()
        with self._open() as db:
            # The try is counted before it is checked, so that parallel guesses do not slip through together.
            row = db.execute(
                "UPDATE account SET failures = failures + 1, next_try = CASE WHEN failures + 1 >= ? "
                "THEN ? + MIN(?, 1 << MIN(failures + 1 - ?, 20)) ELSE 0 END "
                "WHERE name = ? AND next_try <= ? RETURNING hash",
                (FREE_TRIES, now, LONGEST_WAIT, FREE_TRIES, name, now),
            ).fetchone()
        if row is None:
            hasher.hash(password)  # an unknown name takes as long as a wrong password
            return False
        try:
            hasher.verify(row[0], password)
        except (VerificationError, InvalidHashError):
            return False
        with self._open() as db:
            db.execute("UPDATE account SET failures = 0, next_try = 0 WHERE name = ?", (name,))
        return True

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=10.0)) as db, db:
            yield db
