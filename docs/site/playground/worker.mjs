// Python and DuckDB in one worker, so that the package's engine asks DuckDB without waiting for promises.
import * as engine from "../vendor/engine.mjs";
import { loadPyodide } from "../vendor/pyodide/pyodide.mjs";

const vendor = new URL("../vendor/", import.meta.url);
const fetched = async (name) => {
  const answer = await fetch(new URL(name, vendor));
  if (!answer.ok) throw new Error(`${name} can't be loaded: ${answer.status}`);
  return answer;
};

let database, connection, python, answer_request;

async function start() {
  const { wheels } = await (await fetched("wheels.json")).json();
  const wasm = { mainModule: new URL("duckdb-eh.wasm", vendor).href, mainWorker: null };
  const duckdb = async () => {
    database = await engine.createDuckDB({ mvp: wasm, eh: wasm }, new engine.VoidLogger(), engine.BROWSER_RUNTIME);
    await database.instantiate(() => {});
    database.open({ path: ":memory:" });
    connection = database.connect();
  };
  const opened = duckdb();
  python = await loadPyodide({ indexURL: new URL("pyodide/", vendor).href });
  for (const name of wheels) python.unpackArchive(await (await fetched(name)).arrayBuffer(), "zip");
  python.registerJsModule("page", { rows, bring });
  const code = await (await fetched("../playground/playground.py")).text();
  await opened;
  answer_request = python.runPython(code);
  return JSON.parse(answer_request("start", "{}"));
}

// Cells of a query, row by row; what is null is None in Python, and whole numbers are BigInt in between.
function rows(sql) {
  const table = connection.query(sql);
  const columns = table.schema.fields.map((_, index) => table.getChildAt(index));
  const found = [];
  for (let row = 0; row < table.numRows; row++) {
    found.push(columns.map((column) => (column.get(row) === null ? undefined : plain(column.get(row), column.type))));
  }
  return python.toPy(found);
}

// Counts of rows that fulfill a condition are decimals of 128 bits, which Arrow returns as words of 32.
function plain(cell, type) {
  if (!ArrayBuffer.isView(cell)) return cell;
  const bits = cell.reduceRight((high, word) => (high << 32n) | BigInt(word), 0n);
  const whole = BigInt.asIntN(32 * cell.length, bits);
  return type.scale ? Number(whole) / 10 ** type.scale : whole;
}

// A table of results, which plots are queries over.
function bring(name, types, cells) {
  const kinds = { string: engine.Utf8, int64: engine.Int64, float64: engine.Float64 };
  const columns = Object.entries(JSON.parse(types)).map(([column, kind]) => {
    const made = kind === "int64" ? (cell) => BigInt(cell) : (cell) => cell;
    const values = JSON.parse(cells)[column].map((cell) => (cell === null ? null : made(cell)));
    return [column, engine.vectorFromArray(values, new (kinds[kind] ?? engine.Utf8)())];
  });
  insert(name, new engine.Table(Object.fromEntries(columns)), true);
}

function insert(name, table, first) {
  if (first) connection.query(`drop table if exists "${name}"`);
  connection.insertArrowFromIPCStream(engine.tableToIPC(table, "stream"), { name, create: first });
}

// The type of a column of Parquet; null for one that is left out.
function typeOf({ element, children }) {
  const logical = element.logical_type?.type ?? element.converted_type;
  if (children.length) {
    const inner = logical === "LIST" && children[0].children.length === 1 ? typeOf(children[0].children[0]) : null;
    return inner && new engine.List(new engine.Field("item", inner, true));
  }
  if (element.repetition_type === "REPEATED") return null;
  if (["UTF8", "STRING", "ENUM", "JSON"].includes(logical)) return new engine.Utf8();
  if (logical === "DECIMAL") return new engine.Float64();
  if (logical && !/^U?INT/.test(logical)) return null;
  return (
    {
      BOOLEAN: () => new engine.Bool(),
      INT32: () => new engine.Int64(),
      INT64: () => new engine.Int64(),
      FLOAT: () => new engine.Float64(),
      DOUBLE: () => new engine.Float64(),
      BYTE_ARRAY: () => new engine.Utf8(),
    }[element.type]?.() ?? null
  );
}

function wholes(value) {
  return typeof value === "number" ? BigInt(value) : Array.isArray(value) ? value.map(wholes) : value;
}

async function parquet(name, file) {
  const metadata = engine.parquetMetadata(file);
  const types = {}, left = [];
  for (const child of engine.parquetSchema(metadata).children) {
    const type = typeOf(child);
    if (type) types[child.element.name] = type;
    else left.push(child.element.name);
  }
  const isWhole = (type) => type instanceof engine.Int64 || (type instanceof engine.List && isWhole(type.children[0].type));
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    const chunks = Object.fromEntries(Object.keys(types).map((column) => [column, []]));
    await engine.parquetRead({
      file,
      metadata,
      compressors: engine.compressors,
      columns: Object.keys(types),
      rowStart: start,
      rowEnd: end,
      onChunk: ({ columnName, columnData }) => {
        for (const value of columnData) chunks[columnName].push(isWhole(types[columnName]) ? wholes(value) : value);
      },
    });
    const vectors = Object.entries(types).map(([column, type]) => [column, engine.vectorFromArray(chunks[column], type)]);
    insert(name, new engine.Table(Object.fromEntries(vectors)), start === 0);
    start = end;
  }
  return { given: name, rows: start, left };
}

// A file that was dropped: what the package is to read, and what of it is left out.
async function load({ name, file, path }) {
  const bytes = await file.arrayBuffer();
  if (path.toLowerCase().endsWith(".parquet")) return parquet(name, bytes);
  const kind = path.toLowerCase().endsWith(".tsv") ? "tsv" : "csv";
  const known = `${name}.${kind}`;
  database.dropFile(known);
  database.registerFileBuffer(known, new Uint8Array(bytes));
  // DuckDB reads its rows; the package looks at the file, and hashes it for a report.
  python.FS.writeFile(known, new Uint8Array(bytes));
  return { given: known, left: [] };
}

onmessage = async ({ data: { id, what, options } }) => {
  try {
    const own = { start, load };
    const answer = what in own ? await own[what](options) : JSON.parse(answer_request(what, JSON.stringify(options)));
    postMessage({ id, answer });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
