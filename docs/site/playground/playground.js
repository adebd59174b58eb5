// The page of the playground: it loads the worker when asked, and hands it files, which stay here.
(() => {
  const here = new URL("playground/", new URL(".", document.currentScript.src));

  function made(tag, text = "", more = {}) {
    const element = document.createElement(tag);
    element.textContent = text;
    return Object.assign(element, more);
  }

  function labelled(text, field) {
    const label = made("label", text);
    label.append(field);
    return label;
  }

  // Calls of the worker, which answers each by its number.
  function opened() {
    const worker = new Worker(new URL("worker.mjs", here), { type: "module" });
    const waiting = new Map();
    const ended = (reason) => waiting.forEach(({ reject }) => reject(new Error(reason)));
    worker.onmessage = ({ data: { id, answer, error } }) => {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error ?? answer.refused) reject(new Error(error ?? answer.refused));
      else resolve(answer);
    };
    worker.onerror = () => ended("the worker can't be loaded");
    return (what, options = {}) =>
      new Promise((resolve, reject) => {
        const id = crypto.randomUUID?.() ?? String(Math.random());
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, what, options });
      });
  }

  function build(place) {
    const told = made("output");
    const begin = made("button", "Load Python and DuckDB (15 MB)", { type: "button", className: "md-button" });
    place.append(begin, told);
    if (location.protocol === "file:") {
      begin.disabled = true;
      told.textContent = "Browsers start no worker from a file: serve the folder, python -m http.server, and open it there.";
    }
    begin.addEventListener("click", async () => {
      begin.disabled = true;
      told.textContent = "Loading: about 10 seconds the first time.";
      try {
        const ask = opened();
        const { metrics, version } = await ask("start");
        begin.remove();
        form(place, told, ask, metrics);
        told.textContent = `sqlrec ${version} is ready. Drop your files, or take the example.`;
      } catch (error) {
        begin.disabled = false;
        told.textContent = error.message;
      }
    });
  }

  function form(place, told, ask, known) {
    const inputs = {};
    const link = new URLSearchParams(location.hash.slice(1));
    const field = (name, value) => made("input", "", { name, value: link.get(name) ?? value, spellcheck: false });
    const metrics = field("metrics", "ndcg@1,3,5,10 recall@1,3,5,10");
    const columns = field("columns", "");
    columns.placeholder = "user_id=uid item_id=sku";
    const baseline = field("baseline", "");
    baseline.placeholder = "a model, to compare with";
    const interval = made("select", "", { name: "interval" });
    for (const [value, text] of [["", "none"], ["auto", "95 %"]]) interval.append(made("option", text, { value }));
    interval.value = link.get("interval") ?? "auto";
    const names = made("datalist", "", { id: "sqlrec-metrics" });
    names.append(...known.map((value) => made("option", "", { value: `${value}@10` })));
    metrics.setAttribute("list", names.id);
    const run = made("button", "Run", { type: "button", className: "md-button md-button--primary", disabled: true });
    const example = made("button", "Take the example", { type: "button", className: "md-button" });
    const found = made("div", "", { className: "sqlrec-found" });

    const busy = (is) => ([run, example].forEach((one) => (one.disabled = is)), (run.disabled = is || !inputs.recs || !inputs.truth));
    async function tried(work) {
      busy(true);
      try {
        await work();
      } catch (error) {
        told.textContent = error.message;
      }
      busy(false);
    }

    async function take(name, file) {
      told.textContent = `Reading ${file.name}.`;
      delete inputs[name];
      const { given, rows, left } = await ask("load", { name, file, path: file.name });
      inputs[name] = given;
      const size = rows === undefined ? "" : `, ${rows.toLocaleString("en")} rows`;
      const without = left.length ? `; columns of other types are left out: ${left.join(", ")}` : "";
      told.textContent = `${name} is ${file.name}${size}${without}.`;
    }

    function dropped(name, words) {
      const input = made("input", "", { type: "file", name, accept: ".parquet,.csv,.tsv" });
      const label = labelled(words, input);
      label.className = "sqlrec-drop";
      input.addEventListener("change", () => input.files[0] && tried(() => take(name, input.files[0])));
      label.addEventListener("dragover", (event) => event.preventDefault());
      label.addEventListener("drop", (event) => {
        event.preventDefault();
        if (event.dataTransfer.files[0]) tried(() => take(name, event.dataTransfer.files[0]));
      });
      return label;
    }

    example.addEventListener("click", () =>
      tried(async () => {
        for (const name of ["recs", "truth"]) {
          const file = await (await fetch(new URL(`${name}.parquet`, here))).blob();
          await take(name, new File([file], `${name}.parquet`));
        }
        told.textContent = "The example is there: three models, and what users liked.";
      }),
    );

    run.addEventListener("click", () =>
      tried(async () => {
        told.textContent = "Running.";
        const options = { metrics: metrics.value, columns: columns.value, interval: interval.value, baseline: baseline.value };
        // The address holds what is asked, and nothing of the files.
        history.replaceState(history.state, "", `#${new URLSearchParams(options)}`);
        const begun = performance.now();
        const answer = await ask("run", { ...options, inputs });
        place.dataset.rows = JSON.stringify(answer.rows);
        show(found, answer);
        told.textContent = [`Done in ${((performance.now() - begun) / 1000).toFixed(1)} s.`, ...answer.warnings].join(" ");
      }),
    );

    place.append(
      dropped("recs", "recs: user_id, item_id, score or rank; model, if there are several"),
      dropped("truth", "truth: user_id, item_id; relevance, if it is graded"),
      labelled("metrics", metrics),
      labelled("intervals", interval),
      labelled("baseline", baseline),
      labelled("your names of columns", columns),
      names,
      example,
      run,
      told,
      found,
    );
  }

  function show(found, answer) {
    found.replaceChildren();
    const parts = { Result: answer.table, Differences: answer.compared, Curve: answer.curve, Counts: answer.counts };
    for (const [title, html] of Object.entries(parts)) {
      if (!html) continue;
      const part = made("section", "", { tabIndex: 0 });
      part.setAttribute("aria-label", title);
      // Its styles stay inside.
      part.attachShadow({ mode: "open" }).innerHTML = html;
      found.append(made("h2", title), part);
    }
    const code = made("code", answer.sql, { tabIndex: 0 });
    const pre = made("pre");
    pre.append(code);
    found.append(made("h2", "SQL"), pre);
  }

  const start = () => document.querySelectorAll(".sqlrec-playground:not(:has(button, output))").forEach(build);
  // Zensical tells of pages that it brings without loading them.
  if (window.document$) window.document$.subscribe(start);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
