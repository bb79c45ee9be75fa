"""What can go wrong between frames and sheet, each a sentence with its cure.

They are plain `ValueError`s because this package imports nothing else of ours; the layer above turns them
into its own kind of message.
"""


class SpriteError(ValueError):
    """Base of every error raised on purpose in `studio.sprites`."""


class FramesError(SpriteError):
    """The pixels are not ``uint8 (T, H, W, 4)`` or do not fit together."""


class TimingError(SpriteError):
    """A duration, frame rate or frame count that no animation can have."""


class SheetError(SpriteError):
    """Actions that cannot share one sheet, or a sheet that cannot be laid out."""


class ExportError(SpriteError):
    """A sheet that the chosen file format cannot hold."""


class PaletteError(SpriteError):
    """A palette file that cannot be read, or a palette that no picture can use."""
