"""One file per tab: draws its components, then wires them. Arrows between tabs are in `studio.ui.app`."""
