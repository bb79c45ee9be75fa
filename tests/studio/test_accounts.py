"""Log-ins: exact names, hashed passwords, and patience that a guesser does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.accounts import FREE_TRIES, LONGEST_WAIT, AccountError, Accounts


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def accounts(tmp_path: Path, clock: Clock) -> Accounts:
    book = Accounts(tmp_path / "accounts.sqlite", clock)
    book.add("Ana", "correct horse")
    return book


def test_the_right_password_and_the_exact_name(accounts: Accounts) -> None:
    assert accounts.check("Ana", "correct horse")
    for name, password in (("Ana", "wrong horse"), ("ana", "correct horse"), ("Ben", "correct horse"), ("", "")):
        assert not accounts.check(name, password)


def test_a_new_password_replaces_the_old_one(accounts: Accounts) -> None:
    accounts.add("Ana", "battery staple")
    assert accounts.check("Ana", "battery staple") and not accounts.check("Ana", "correct horse")


@pytest.mark.parametrize(
    ("name", "password"), [("ana", "long enough"), ("", "long enough"), ("a\nb", "long enough"), ("Ben", "short")]
)
def test_what_cannot_be_an_account(accounts: Accounts, name: str, password: str) -> None:
    with pytest.raises(AccountError):
        accounts.add(name, password)
    assert accounts.names() == ["Ana"]


def test_guessing_has_to_wait(accounts: Accounts, clock: Clock) -> None:
    for _ in range(FREE_TRIES):
        assert not accounts.check("Ana", "guess")
    assert not accounts.check("Ana", "correct horse"), "even the right one has to wait now"
    clock.now += 1.5
    assert not accounts.check("Ana", "guess")
    clock.now += 1.5
    assert not accounts.check("Ana", "correct horse"), "the wait doubles"
    clock.now += 1.0
    assert accounts.check("Ana", "correct horse")
    assert accounts.check("Ana", "correct horse"), "and is forgotten after that"


def test_the_wait_has_an_end(accounts: Accounts, clock: Clock) -> None:
    for _ in range(FREE_TRIES + 11):
        accounts.check("Ana", "guess")
        clock.now += LONGEST_WAIT
    clock.now -= 1
    assert not accounts.check("Ana", "correct horse")
    clock.now += 1
    assert accounts.check("Ana", "correct horse")


def test_removing(accounts: Accounts) -> None:
    assert accounts.remove("Ana") and not accounts.remove("Ana")
    assert not accounts.check("Ana", "correct horse")
