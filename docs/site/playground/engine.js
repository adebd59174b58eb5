// What the playground needs of packages, which esbuild makes one file of.
export {
  createDuckDB,
  VoidLogger,
  BROWSER_RUNTIME,
} from "./node_modules/@duckdb/duckdb-wasm/dist/duckdb-browser-blocking.mjs";
export { Bool, Field, Float64, Int32, Int64, List, Table, Utf8, tableToIPC, vectorFromArray } from "apache-arrow";
export { parquetMetadata, parquetRead, parquetSchema } from "hyparquet";
export { compressors } from "hyparquet-compressors";
