// Makes CSV lines that are safe to open in a spreadsheet: a cell that could be read as a formula gets an apostrophe at its
// start.

/** The characters with which a formula begins in the common spreadsheets. A tab or a line break may come before them. */
const FORMULA = /^[\s\u0000]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

export function csvLine(cells: readonly (string | number | null | undefined)[]): string {
  return cells.map(csvCell).join(',');
}

function csvCell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
