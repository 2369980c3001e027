"""Displays a script as HTML, JavaScript, SVG, Markdown and LaTeX."""

from IPython.display import HTML, SVG, Javascript, Latex, Markdown, display

SCRIPT = "<script>document.title='wyob-attack'</script>"
display(
    HTML(SCRIPT),
    Javascript("document.title='wyob-attack'"),
    Markdown(SCRIPT),
    Latex(f"$\\href{{javascript:alert(1)}}{{{SCRIPT}}}$"),
)
display(
    SVG(f"<svg xmlns='http://www.w3.org/2000/svg' onload=\"document.title='wyob-attack'\">{SCRIPT}</svg>")
)
display({"text/html": SCRIPT, "application/vnd.jupyter.widget-view+json": {"model_id": SCRIPT}}, raw=True)
