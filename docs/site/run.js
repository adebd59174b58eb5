// Run a worked example on the page: SQLite, loaded on request, on rows that the reader may change.
(() => {
  const here = new URL(".", document.currentScript.src);

  function loaded() {
    return new Promise((resolve, reject) => {
      if (window.initSqlJs) return resolve();
      const script = document.createElement("script");
      script.src = new URL("vendor/sql-wasm-inline.js", here);
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(`${script.src} can't be loaded`));
      document.head.append(script);
    });
  }

  const cells = (line) => line.split(",").map((cell) => cell.trim());
  const valued = (cell) => (cell === "" ? null : isNaN(cell) ? cell : Number(cell));

  async function run(example, areas) {
    await loaded();
    const { Database } = await window.initSqlJs({ useOldExtensionFunctions: false });
    const database = new Database();
    try {
      for (const [name, area] of Object.entries(areas)) {
        const [head, ...rows] = area.value.split("\n").filter((line) => line.trim());
        const columns = cells(head);
        database.run(`create table "${name}" (${columns.map((one) => `"${one}"`)})`);
        for (const [number, row] of rows.entries()) {
          const values = cells(row).map(valued);
          if (values.length !== columns.length)
            throw new Error(`${name}, row ${number + 1}: ${values.length} values, ${columns.length} columns`);
          database.run(`insert into "${name}" values (${columns.map(() => "?")})`, values);
        }
      }
      const [{ columns, values: [row] }] = database.exec(example.sql);
      return Object.fromEntries(columns.map((name, index) => [name, row[index]]));
    } finally {
      database.close();
    }
  }

  function build(place) {
    const example = JSON.parse(place.querySelector("script").textContent);
    const areas = {};
    for (const [name, text] of Object.entries(example.tables)) {
      const label = document.createElement("label");
      label.textContent = name;
      const area = document.createElement("textarea");
      area.value = text;
      area.rows = text.split("\n").length;
      area.spellcheck = false;
      label.append(area);
      areas[name] = area;
      place.append(label);
    }
    const button = document.createElement("button");
    button.type = "button";
    button.className = "md-button";
    button.textContent = "Run";
    const status = document.createElement("output");
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        const { value, users } = await run(example, areas);
        place.dataset.value = value;
        const over = users === undefined ? "" : `, over ${users} ${example.of}`;
        status.textContent = `${example.request} is ${value === null ? "undefined" : Number(value.toPrecision(6))}${over}`;
      } catch (error) {
        status.textContent = error.message;
      }
      button.disabled = false;
    });
    place.append(button, status);
  }

  function start() {
    document.querySelectorAll(".sqlrec-run:not(:has(button))").forEach(build);
    // Code that is wider than its place scrolls by keyboard too.
    document.querySelectorAll("pre > code").forEach((code) => (code.tabIndex = 0));
  }

  // Zensical tells of pages that it brings without loading them.
  if (window.document$) window.document$.subscribe(start);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
