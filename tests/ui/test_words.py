"""One table holds every text of the page."""

from __future__ import annotations

import re
import string

from studio.ui.live_words import LIVE_WORDS
from studio.ui.words import SCRIPT_WORDS, WORDS, say
from tests.conftest import REPO

CODE = "\n".join(
    path.read_text(encoding="utf-8")
    for path in (REPO / "studio" / "ui").rglob("*.py")
    if not path.name.endswith("words.py")
)


def test_every_text_that_is_asked_for_exists() -> None:
    asked = set(re.findall(r'WORDS\["(\w+)"\]', CODE)) | set(re.findall(r'\bsay\(\s*"(\w+)"', CODE))
    assert asked <= set(WORDS)


def test_no_text_is_left_over() -> None:
    quoted = set(re.findall(r'"(\w+)"', CODE))
    built = {f"tab_{name}" for name in quoted} | {f"{name}_hint" for name in quoted}
    assert set(WORDS) <= quoted | built


def test_texts_are_short_and_their_places_fill() -> None:
    for key, text in WORDS.items():
        assert text == text.strip() and 0 < len(text) <= 130, key
        names = [name for _, name, _, _ in string.Formatter().parse(text) if name]
        assert say(key, **dict.fromkeys(names, 3)) if names else text


def test_scripts_say_only_what_the_table_holds() -> None:
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in (REPO / "studio" / "ui").rglob("*.js"))
    asked = set(re.findall(r'"(\w+)"', "".join(re.findall(r"S\.say\(([^)]*)\)", scripts))))
    assert asked == set(SCRIPT_WORDS)


def test_live_play_says_only_what_its_table_holds_and_all_of_it() -> None:
    folder = REPO / "studio" / "ui" / "widgets"
    script = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("live_*.js"))
    asked = set(re.findall(r"\bwords\.(\w+)", script))
    assert asked <= set(LIVE_WORDS)
    # Families such as `mode_puppet` are put together; states are looked up by what the server says.
    built = re.findall(r"\bwords\[`(\w*)\$\{", script)
    families = {key for key in LIVE_WORDS for start in built if start and key.startswith(start)}
    quoted = set(re.findall(r'"(\w+)"', script))
    assert set(LIVE_WORDS) <= asked | families | quoted
    assert all(text == text.strip() and 0 < len(text) <= 130 for text in LIVE_WORDS.values())
