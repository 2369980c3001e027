// The table of mistakes: each entry is folded under its name, and a field filters them. Without scripts all is shown.
(() => {
  "use strict";
  /** @type {(selector: string) => HTMLElement[]} */
  const findAll = (selector) => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector))];
  const entries = findAll(".bd-article section section:has(> h3)").map((section) => {
    const fold = document.createElement("details"), summary = document.createElement("summary");
    summary.append(section.querySelector("h3") ?? "");
    fold.append(summary, ...section.childNodes);
    section.append(fold);
    return { section, fold, text: section.textContent.toLowerCase() };
  });
  const rows = findAll(".overview tbody tr");
  const groups = findAll(".bd-article section:has(> h2), .bd-article .rubric, .overview");
  const [field, told] = /** @type {(HTMLInputElement | HTMLOutputElement)[]} */ (findAll(".filter input, .filter output"));

  function filter() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean), shown = new Set();
    for (const { section, text } of entries) {
      section.hidden = !words.every((word) => text.includes(word));
      if (!section.hidden) shown.add(section.id);
    }
    for (const row of rows) row.hidden = !shown.has(row.querySelector("a")?.hash.slice(1));
    for (const group of groups) {
      const own = group.matches("section") ? "section" : ".overview tbody tr", list = group.matches(".rubric") ? group.nextElementSibling : group;
      group.hidden = words.length > 0 && !list?.querySelector(`${own}:not([hidden])`);
    }
    told.textContent = words.length ? `${shown.size} of ${entries.length}` : "";
  }

  function open() { // the entry that the address leads to
    const fold = location.hash && document.getElementById(location.hash.slice(1))?.closest("section")?.querySelector(":scope > details");
    if (!(fold instanceof HTMLDetailsElement)) return;
    fold.open = true;
    fold.scrollIntoView();
  }

  field.addEventListener("input", filter);
  addEventListener("hashchange", open);
  addEventListener("beforeprint", () => entries.forEach(({ fold }) => { fold.open = true; }));
  open();
})();
