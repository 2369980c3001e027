// The token: the product of a step travels along its edge.

/** @type {(picture: Picture, shown: Shown) => (step: Step, given: Quantity | undefined) => void} */
function addToken({ svg, edges }, { recorded }) {
  const token = svg.appendChild(svgElement("g", { class: "token" }));
  token.innerHTML = ["given", "product"].map((what) =>
    `<g class="${what}"><rect y="-10" height="20" rx="10"/><text y="4"/></g>`).join("");
  const shells = findAll(token, "rect");
  /** @type {SVGTextElement[]} */
  const texts = findAll(token, "text");

  // It begins as the adjoint that is given, and becomes the product.
  return (step, given) => {
    token.style.offsetPath = "none";
    if (step.kind !== "travel" || step.product === null) return;
    const { source, target } = recorded.edges[step.edge];
    const begins = given ?? null;
    [begins ?? step.product, step.product].forEach((quantity, half) => {
      texts[half].textContent = brief(quantity, recorded.nodes[half || begins === null ? source : target], SHARED.BRIEF);
      const wide = Math.max(22, 14 + texts[half].getComputedTextLength());
      setAttributes(shells[half], { width: wide, x: -wide / 2 });
    });
    token.style.offsetPath = `path("${find(edges[step.edge], "path").getAttribute("d")}")`;
    for (const animation of token.getAnimations?.({ subtree: true }) ?? []) animation.currentTime = 0;
  };
}
