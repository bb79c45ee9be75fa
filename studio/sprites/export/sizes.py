"""What a character costs a game: atlas, animated pictures and video side by side (requirements R71, R72)."""

from dataclasses import dataclass

from studio.sprites.export.apng import encode_apng
from studio.sprites.export.pages import png
from studio.sprites.export.webm import encode_webm
from studio.sprites.export.webp import encode_webp
from studio.sprites.sheet import Sheet, restore


@dataclass(frozen=True)
class Sizes:
    """Bytes of the same frames, all actions together."""

    untrimmed_memory: int
    """Every frame as its own RGBA texture."""
    atlas_memory: int
    """All pages as RGBA textures, which a graphics card holds uncompressed."""
    atlas_png: int
    """The pages as files. Any frame at any time: what a game needs."""
    webp: int
    """Animated WebP, lossless. Must be decoded in order."""
    apng: int
    webm: int
    """VP9 with alpha. Colours near, decoded in order: cut scenes and pages."""

    def shares(self) -> dict[str, float]:
        """Each file kind as a share of the atlas PNG."""
        return {kind: getattr(self, kind) / self.atlas_png for kind in ("webp", "apng", "webm")}


def sizes(sheet: Sheet) -> Sizes:
    """Measured by encoding, not estimated; takes as long as those exports."""
    clips = [
        (restore(sheet, tag.name), [entry.duration_ms for entry in sheet.frames_of(tag.name)], tag.loop)
        for tag in sheet.tags
    ]
    return Sizes(
        untrimmed_memory=len(sheet.entries) * sheet.cell[0] * sheet.cell[1] * 4,
        atlas_memory=sum(page.nbytes for page in sheet.pages),
        atlas_png=sum(len(png(page)) for page in sheet.pages),
        webp=sum(len(encode_webp(*clip)) for clip in clips),
        apng=sum(len(encode_apng(*clip)) for clip in clips),
        webm=sum(len(encode_webm(*clip)) for clip in clips),
    )
