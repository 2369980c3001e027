"""A page of a browser that reaches the built site and nothing else."""

from contextlib import contextmanager

from axe_playwright_python.sync_playwright import Axe

WIDE, PHONE = 1300, 390
SERIOUS = {"serious", "critical"}


@contextmanager
def reading(browser, address, theme="light"):
    """Open a page that can reach the server and nothing else; what went wrong is in `page.troubles`."""
    context = browser.new_context(viewport={"width": WIDE, "height": 900}, reduced_motion="reduce")
    context.add_init_script(
        f"localStorage.setItem('mode', '{theme}'); localStorage.setItem('theme', '{theme}')"
    )
    page = context.new_page()
    page.troubles = []

    def reach(route):
        if route.request.url.startswith(address):
            route.continue_()
        else:
            page.troubles.append(f"asks for {route.request.url}")
            route.abort()

    page.route("**/*", reach)
    page.on("response", lambda r: page.troubles.append(f"{r.status} {r.url}") if r.status >= 400 else None)
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("console", lambda said: page.troubles.append(said.text) if said.type == "error" else None)
    yield page
    context.close()


def visit(page, address):
    """Load a page and wait until its formulas are set."""
    page.goto(address, wait_until="load")
    page.wait_for_function("!window.MathJax || (MathJax.startup && MathJax.startup.promise)")
    page.evaluate("() => window.MathJax && MathJax.startup.promise")


def violations(page, *rules):
    """Return what axe-core holds against a page, as far as it is serious or critical."""
    options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{violation['id']} ({violation['impact']}): {node['target']} {node['html'][:120]}"
        for violation in found
        if violation["impact"] in SERIOUS
        for node in violation["nodes"][:3]
    ]
