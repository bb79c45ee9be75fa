"""Unity's ids from names, and names as Unity's YAML wants them."""

import re
from hashlib import blake2b

SPRITE = 213
"""Unity's class number of Sprite (docs.unity3d.com/Manual/ClassIDReference.html)."""

PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*[_.-][A-Za-z0-9_.-]*[A-Za-z0-9]")
"""Names that YAML 1.1 reads as text without quotes; one with a separator is neither ``yes`` nor ``null``."""


def guid(file: str) -> str:
    """32 hexadecimal digits of an asset file."""
    return blake2b(f"sprightly asset {file}".encode("utf-8", "replace"), digest_size=16).hexdigest()


def sprite_id(key: str) -> str:
    """32 hexadecimal digits of a sprite."""
    return blake2b(f"sprightly sprite {key}".encode("utf-8", "replace"), digest_size=16).hexdigest()


def local_id(key: str) -> int:
    """The signed 64-bit number by which a scene refers to a sprite; never 0, which means none."""
    digest = blake2b(f"sprightly local {key}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True) or 1


def quoted(text: str) -> str:
    """A YAML scalar: plain where that is safe, else in double quotes with escapes."""
    return text if PLAIN.fullmatch(text) else '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    code = ord(character)
    if character in '"\\':
        return "\\" + character
    if 32 <= code < 127:
        return character
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
