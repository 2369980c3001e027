"""A page of a browser that reaches the built site and nothing else."""

from contextlib import contextmanager

from axe_playwright_python.sync_playwright import Axe

WIDE, PHONE = 1300, 390
SERIOUS = {"serious", "critical"}
HELD_TOO = {"region", "empty-table-header"}  # rules of a lower impact
MATHEMATICS = {"exclude": [["th:has(.math)"]]}  # axe-core takes MathML for empty
CONTRAST, ALL_OTHERS = {"runOnly": ["color-contrast"]}, {"rules": {"color-contrast": {"enabled": False}}}
# A page has thousands of texts and some hundred looks, and axe-core says the same of texts that look alike:
# if their letters and all that lies behind them do, in both themes. The longest of each is kept, for axe-core
# passes over single letters.
ONE_OF_EACH_LOOK = """() => {
  const { dataset } = document.documentElement, before = dataset.theme, looks = new Map(), seen = new Set();
  const texts = [...document.body.querySelectorAll('*')].filter((element) =>
    !element.childElementCount && element.textContent.trim() && !element.closest('svg'));
  texts.sort((one, other) => other.textContent.length - one.textContent.length);
  for (const theme of ['light', 'dark']) {
    dataset.theme = theme;
    for (const element of texts) {
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const look = [looks.get(element), color, fontSize, fontWeight];
      for (let behind = element; behind; behind = behind.parentElement) {
        const { backgroundColor, backgroundImage, opacity } = getComputedStyle(behind);
        look.push(backgroundColor, backgroundImage, opacity);
      }
      looks.set(element, look.join());
    }
  }
  dataset.theme = before;
  for (const [element, look] of looks) seen.has(look) ? element.remove() : seen.add(look);
}"""


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
    """Load a page and wait until it has its fonts and is laid out, and its players run."""
    page.goto(address, wait_until="load")
    page.evaluate("document.fonts.ready.then(() => null)")
    page.wait_for_function("'started' in document.documentElement.dataset")


def violations(page, rules):
    """Return what axe-core holds against a page, as far as it is serious, critical or in HELD_TOO."""
    options = {"resultTypes": ["violations"], **rules}
    found = Axe().run(page, MATHEMATICS, options).response["violations"]
    return [
        f"{violation['id']} ({violation['impact']}): {node['target']} {node['html'][:120]}"
        for violation in found
        if violation["impact"] in SERIOUS or violation["id"] in HELD_TOO
        for node in violation["nodes"][:3]
    ]


def weak_contrasts(page):
    """Return what axe-core holds against a page's contrasts in each theme; of texts alike it leaves one."""
    page.evaluate(ONE_OF_EACH_LOOK)
    found = []
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        found += [f"{theme}: {violation}" for violation in violations(page, CONTRAST)]
    return found
