// Sets formulas with KaTeX: reads pairs of TeX and whether it is displayed, as JSON, and writes for each the HTML or
// what is wrong with it. The path of KaTeX is its argument.
/** @type {{ process: any }} */
const { process } = /** @type {any} */ (globalThis);
const { default: katex } = await import(process.argv[2]);

let given = "";
for await (const part of process.stdin.setEncoding("utf8")) given += part;

/** @param {[string, boolean]} formula */
function set([tex, displayMode]) {
  try {
    const html = katex.renderToString(tex, { displayMode, strict: "error" });
    return { html: html.replace(/<annotation.*?<\/annotation>/s, "") }; // the TeX once more, which is a copy's third text
  } catch (error) {
    return { wrong: String(/** @type {Error} */ (error).message) };
  }
}

process.stdout.write(JSON.stringify(JSON.parse(given).map(set)));
