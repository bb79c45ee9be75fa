"""The zip that the artist downloads."""

import os
import zipfile

from studio.sprites.export.archive import zip_pack


def test_a_zip_depends_on_its_files_alone(tmp_path):
    """Other times, other order of writing, same bytes; names use forward slashes; links are left out."""
    packs = []
    for order in (("b.json", "a.png"), ("a.png", "b.json")):
        folder = tmp_path / f"run{len(packs)}" / "hero.v1"
        (folder / "deep").mkdir(parents=True)
        for name in order:
            (folder / "deep" / name).write_bytes(name.encode() * 50)
            os.utime(folder / "deep" / name, (10**9 + len(packs) * 999, 10**9))
        packs.append(zip_pack(folder))
    assert packs[0].name == "hero.v1.zip" and packs[0].parent == tmp_path / "run0"
    assert packs[0].read_bytes() == packs[1].read_bytes()
    with zipfile.ZipFile(packs[0]) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["deep/a.png", "deep/b.json"]
        assert {info.external_attr >> 16 for info in archive.infolist()} == {0o100644}
        assert archive.read("deep/a.png") == b"a.png" * 50


def test_links_do_not_carry_foreign_files_into_the_zip(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("mine")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "a.json").write_text("{}")
    try:
        (folder / "link.txt").symlink_to(secret)
    except OSError:  # Windows without the right to make links
        return
    with zipfile.ZipFile(zip_pack(folder)) as archive:
        assert archive.namelist() == ["a.json"]
