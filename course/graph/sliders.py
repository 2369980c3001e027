"""The widget that `explore` returns: sliders above a picture; the picture alone where there is no kernel."""

from typing import Any

import ipywidgets


class Sliders(ipywidgets.VBox):
    """Sliders with the picture that follows them.

    A page that has no kernel, be it the rendered course or a feedback page, shows the picture as it was when
    the cell ran.
    """

    def __init__(self, sliders: list[Any], picture: Any) -> None:
        self.picture = picture
        super().__init__([*sliders, picture])

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Show the widget, and beside it the picture for whoever cannot show a widget."""
        still = f'<div style="overflow-x:auto">{self.picture.value}</div>'
        return {**super()._repr_mimebundle_(**options), "text/html": still}
