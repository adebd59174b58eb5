// The page of the playground: it loads the worker on request, and hands it files, which stay here.
(() => {
  const here = new URL("playground/", new URL(".", document.currentScript.src));

  function createElement(tag, text = "", more = {}) {
    const element = document.createElement(tag);
    element.textContent = text;
    return Object.assign(element, more);
  }

  function labeled(text, field) {
    const label = createElement("label", text);
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
    const status = createElement("output");
    const begin = createElement("button", "Load Python and DuckDB (15 MB)", { type: "button", className: "md-button md-button--primary" });
    place.append(begin, status);
    // A link to the example starts it.
    const wanted = location.hash === "#example";
    if (location.protocol === "file:") {
      begin.disabled = true;
      status.textContent = "Browsers start no worker from a file: serve the folder, python -m http.server, and open it there.";
    }
    begin.addEventListener("click", async () => {
      begin.disabled = true;
      status.textContent = "Loading: about 10 seconds the first time.";
      try {
        const ask = opened();
        const { metrics, version } = await ask("start");
        begin.remove();
        form(place, status, ask, metrics);
        status.textContent = `sqlrec ${version} is ready. Drop your files, or take the example.`;
        if (wanted) place.querySelector("[name=example]").click();
      } catch (error) {
        begin.disabled = false;
        status.textContent = error.message;
      }
    });
    if (wanted && !begin.disabled) {
      begin.click();
      place.scrollIntoView();
    }
  }

  function form(place, status, ask, known) {
    let inputs = {}, isExample = false;
    const link = new URLSearchParams(location.hash.slice(1));
    const field = (name, value) => createElement("input", "", { name, value: link.get(name) ?? value, spellcheck: false });
    const metrics = field("metrics", "ndcg@10,5,1 recall@10");
    const columns = field("columns", "");
    columns.placeholder = "user_id=uid item_id=sku";
    const baseline = field("baseline", "");
    baseline.placeholder = "a model, to compare with";
    const by = field("by", "");
    by.placeholder = "columns of users or truth";
    const metric = field("metric", "ndcg@10");
    const value = field("value", "");
    value.placeholder = "0.032";
    const interval = createElement("select", "", { name: "interval" });
    for (const [value, text] of [["", "none"], ["auto", "95%"]]) interval.append(createElement("option", text, { value }));
    interval.value = link.get("interval") ?? "auto";
    const names = createElement("datalist", "", { id: "sqlrec-metrics" });
    names.append(...known.map((value) => createElement("option", "", { value: `${value}@10` })));
    for (const input of [metrics, metric]) input.setAttribute("list", names.id);
    const button = (text, more = {}) => createElement("button", text, { type: "button", className: "md-button", ...more });
    const example = button("Take the example", { name: "example", className: "md-button md-button--primary" });
    const run = button("Run", { disabled: true });
    const explain = button("Explain", { disabled: true });
    const report = button("Download the report", { disabled: true });
    const output = createElement("div", "", { className: "sqlrec-found" });

    function busy(is) {
      const ready = inputs.recs && inputs.truth;
      example.disabled = is;
      for (const one of [run, explain, report]) one.disabled = is || !ready;
      // The next step is the one that stands out.
      example.classList.toggle("md-button--primary", !ready);
      run.classList.toggle("md-button--primary", Boolean(ready));
    }

    async function tried(work) {
      busy(true);
      try {
        await work();
      } catch (error) {
        status.textContent = error.message;
      }
      busy(false);
    }

    async function take(name, file) {
      status.textContent = `Reading ${file.name}.`;
      delete inputs[name];
      const { given, rows, left } = await ask("load", { name, file, path: file.name });
      inputs[name] = given;
      const size = rows === undefined ? "" : `, ${rows.toLocaleString("en")} rows`;
      const without = left.length ? `; columns of other types are left out: ${left.join(", ")}` : "";
      status.textContent = `${name} is ${file.name}${size}${without}.`;
    }

    function dropped(name, words) {
      const input = createElement("input", "", { type: "file", name, accept: ".parquet,.csv,.tsv" });
      const label = labeled(words, input);
      label.className = "sqlrec-drop";
      input.addEventListener("change", () => input.files[0] && tried(() => takeOwn(name, input.files[0])));
      label.addEventListener("dragover", (event) => event.preventDefault());
      label.addEventListener("drop", (event) => {
        event.preventDefault();
        if (event.dataTransfer.files[0]) tried(() => takeOwn(name, event.dataTransfer.files[0]));
      });
      return label;
    }

    // Your own file ends the example: its other tables have other users.
    function takeOwn(name, file) {
      if (isExample) inputs = {};
      isExample = false;
      return take(name, file);
    }

    async function request(what, options) {
      const begun = performance.now();
      const answer = await ask(what, { columns: columns.value, ...options, inputs });
      status.textContent = [`Done in ${((performance.now() - begun) / 1000).toFixed(1)} s.`, ...answer.warnings].join(" ");
      return answer;
    }

    async function evaluate() {
      status.textContent = "Running.";
      const options = { metrics: metrics.value, interval: interval.value, baseline: baseline.value, by: by.value };
      // The address holds the request, not the files.
      history.replaceState(history.state, "", `#${new URLSearchParams({ columns: columns.value, ...options })}`);
      const answer = await request("run", options);
      place.dataset.rows = JSON.stringify(answer.rows);
      show(output, answer);
    }

    example.addEventListener("click", () =>
      tried(async () => {
        for (const name of ["recs", "truth", "users", "items", "history"]) {
          const file = await (await fetch(new URL(`${name}.parquet`, here))).blob();
          await take(name, new File([file], `${name}.parquet`));
        }
        isExample = true;
        metrics.value ||= "ndcg@10";
        baseline.value ||= "popularity";
        await evaluate();
      }),
    );
    run.addEventListener("click", () => tried(evaluate));
    explain.addEventListener("click", () =>
      tried(async () => {
        status.textContent = "Explaining, for up to a minute.";
        show(output, await request("explain", { metric: metric.value, value: value.value }));
      }),
    );
    report.addEventListener("click", () =>
      tried(async () => {
        status.textContent = "Writing the report.";
        const options = { metrics: metrics.value, baseline: baseline.value, by: by.value };
        const { report: page } = await request("report", options);
        const href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
        createElement("a", "", { href, download: "report.html" }).click();
        URL.revokeObjectURL(href);
      }),
    );

    const tables = createElement("details");
    tables.append(
      createElement("summary", "More tables: users for segments, items for titles, the history, the catalog"),
      dropped("users", "users: user_id, and columns of segments"),
      dropped("items", "items: item_id; title, category"),
      dropped("history", "history: user_id, item_id"),
      dropped("catalog", "catalog: item_id; title"),
    );
    place.append(
      dropped("recs", "recs: user_id, item_id, score or rank; model, if there are several"),
      dropped("truth", "truth: user_id, item_id; relevance, if it is graded"),
      tables,
      labeled("metrics", metrics),
      labeled("intervals", interval),
      labeled("baseline", baseline),
      labeled("segments", by),
      labeled("your names of columns", columns),
      names,
      row(example, run, report),
      labeled("a metric to explain", metric),
      labeled("its value elsewhere, if you have one", value),
      row(explain),
      status,
      output,
    );
  }

  function row(...elements) {
    const place = createElement("div", "", { className: "sqlrec-row" });
    place.append(...elements);
    return place;
  }

  function show(output, answer) {
    output.replaceChildren();
    const parts = {
      // Its first line is the decision.
      Differences: answer.compared,
      Result: answer.table,
      Curve: answer.curve,
      Counts: answer.counts,
      "Why it differs": answer.explained,
    };
    for (const [title, html] of Object.entries(parts)) {
      if (!html) continue;
      const part = createElement("section", "", { tabIndex: 0 });
      part.setAttribute("aria-label", title);
      // Its styles stay inside.
      part.attachShadow({ mode: "open" }).innerHTML = html;
      output.append(createElement("h2", title), part);
    }
    if (!answer.sql) return;
    const code = createElement("code", answer.sql, { tabIndex: 0 });
    const pre = createElement("pre");
    pre.append(code);
    output.append(createElement("h2", "SQL"), pre);
  }

  const start = () => document.querySelectorAll(".sqlrec-playground:not(:has(button, output))").forEach(build);
  // Zensical tells of pages that it brings without loading them.
  if (window.document$) window.document$.subscribe(start);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
