"""What goes wrong, said in the artist's words. Every message carries the value and the cure."""

from __future__ import annotations


class UserError(Exception):
    """Base of everything an artist can mend. The text is shown as it is; it names the value and the cure."""


class PictureError(UserError):
    """An uploaded file that is not a usable picture."""


class RequestError(UserError):
    """A setting outside what the chosen model can do."""


class NoFigureError(UserError):
    """No figure, or no joints, could be found in a picture."""


class MissingWeightsError(UserError):
    """A model whose weights are not on this machine; the text says what to download and where to."""


class TrainingError(UserError):
    """Training cannot start or go on with what it was given."""


class LibraryError(UserError):
    """Something asked of the library that is not there, or cannot be written."""


class Cancelled(Exception):
    """The artist stopped a job. Not an error: whoever catches it leaves finished work in place."""
