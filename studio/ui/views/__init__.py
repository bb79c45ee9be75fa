"""From the values of `flow` to the JSON that widgets draw: pure reading, nothing is changed here."""
