"""Palette files: ours read back, those of other programs, and hostile ones."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import GimpPaletteFile

from studio.sprites.errors import PaletteError
from studio.sprites.palette_files import BIGGEST, read_palette, write_palette

TRIPLES = st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=256, unique=True)


@given(TRIPLES, st.sampled_from(["gpl", "hex", "pal"]), st.text(max_size=20))
def test_every_palette_comes_back(colours, kind, name):
    palette = np.array(colours, np.uint8)
    assert np.array_equal(read_palette(write_palette(palette, kind, name)), palette)


def test_pillow_reads_our_gimp_palette(tmp_path):
    (tmp_path / "hero.gpl").write_bytes(write_palette(np.array([[1, 2, 3], [250, 251, 252]], np.uint8), "gpl"))
    with (tmp_path / "hero.gpl").open("rb") as file:
        palette, mode = GimpPaletteFile.GimpPaletteFile(file).getpalette()
    assert mode == "RGB" and bytes(palette[:6]) == bytes([1, 2, 3, 250, 251, 252])


def test_files_of_other_programs():
    """Aseprite's .gpl has a Channels line and names; Lospec's .hex has Windows ends; some add '#' or opaque alpha."""
    gpl = b"GIMP Palette\nChannels: RGBA\n#\n# note\n 34  32  52 255\tUntitled\n 69 40 60 Oiled cedar\n"
    assert read_palette(gpl).tolist() == [[34, 32, 52], [69, 40, 60]]
    assert read_palette(b"\xef\xbb\xbfFF8800\r\n#00ff00\r\n; a note\r\n0000ffFF\r\n").tolist() == [
        [255, 136, 0], [0, 255, 0], [0, 0, 255]
    ]  # fmt: skip
    assert read_palette(b"JASC-PAL\r\n0100\r\n2\r\n1 2 3\r\n1 2 3\r\n").tolist() == [[1, 2, 3]]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\n \n", b"\x89PNG\r\n\x1a\n" + bytes(40), b"GIMP Palette\n1 2\n", b"GIMP Palette\n256 0 0\n",
        b"GIMP Palette\n-1 0 0\n", b"JASC-PAL\n0100\n99999999\n", b"ff88\n", b"ff8800 ; late\n", b"gggggg",
        b"f" * (BIGGEST + 1), "GIMP Palette\n١ ٢ 999\n".encode(), b"<script>alert(1)</script>",
        "".join(f"{n:06x}\n" for n in range(257)).encode(),
    ],
)  # fmt: skip
def test_hostile_files_are_refused_with_a_reason(data):
    with pytest.raises(PaletteError, match="palette file"):
        read_palette(data)


@given(st.binary(max_size=300))
def test_no_bytes_do_more_than_raise_our_error(data):
    with contextlib.suppress(PaletteError):
        assert 1 <= len(read_palette(data)) <= 256


def test_an_unknown_format_is_named():
    with pytest.raises(PaletteError, match="ase"):
        write_palette(np.zeros((1, 3), np.uint8), "ase")
