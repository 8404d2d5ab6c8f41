import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPyodide } from 'pyodide';

// Runs main.py beside the types that were made for it, in a Python that npm brings.

const { URL = '', KEY = '' } = process.env;
const python = await loadPyodide({ env: { HOME: '/home/pyodide', URL, KEY }, stdout: console.log });
const types = readFileSync(join(import.meta.dirname, '..', 'build', 'api.py'));
python.FS.writeFile('/home/pyodide/api.py', types);
try {
  await python.runPythonAsync(readFileSync(join(import.meta.dirname, 'main.py'), 'utf8'));
} catch (error) {
  // Otherwise Node.js would show the line of the interpreter where it was thrown, which is a megabyte long.
  console.error((error as Error).message);
  process.exitCode = 1;
}
