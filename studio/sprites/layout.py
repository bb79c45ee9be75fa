"""Places on pages: the value types that every way of packing returns, and what a page may be."""

from dataclasses import dataclass

from studio.sprites.errors import SheetError

Size = tuple[int, int]
"""Width and height in px."""


@dataclass(frozen=True)
class Slot:
    """Top left corner of one rectangle, and its page."""

    page: int
    x: int
    y: int


@dataclass(frozen=True)
class Layout:
    """One slot per rectangle, in the order they were given, and (width, height) of every page."""

    slots: tuple[Slot, ...]
    pages: tuple[Size, ...]


@dataclass(frozen=True)
class Limits:
    """What a page may be."""

    width: int = 4096
    height: int = 4096
    power_of_two: bool = False
    slack: int = 0
    """Pixels that the page is wider and higher than the rectangles on it: borders, less the last padding."""

    def page(self, width: int, height: int) -> Size:
        """The page that really gets written for a used area."""
        width, height = width + self.slack, height + self.slack
        return (power_of_two(width), power_of_two(height)) if self.power_of_two else (width, height)

    def hold(self, size: Size) -> bool:
        """Whether a used area of this size makes an allowed page."""
        page = self.page(*size)
        return page[0] <= self.width and page[1] <= self.height


def power_of_two(value: int) -> int:
    """The next power of two at or above `value`."""
    return 1 << max(value - 1, 0).bit_length()


def too_large(size: Size, limits: Limits) -> SheetError:
    """The error for a rectangle that no page can hold."""
    return SheetError(
        f"A frame needs {size[0]}x{size[1]} px with its padding, but a page may be {limits.width}x{limits.height} px "
        f"at most; use smaller frames, a smaller export scale, or a larger page limit."
    )
