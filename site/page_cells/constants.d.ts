// What the build writes into the scripts.
declare const PYODIDE: { version: string; bytes: number };
declare const VERSION: string;
