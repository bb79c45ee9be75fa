"""Numbers as text formats want them."""


def number(value: float) -> int | float:
    """Whole numbers without a decimal point, as every reader accepts them; others unchanged."""
    return int(value) if float(value).is_integer() else float(value)
