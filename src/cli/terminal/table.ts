// Tables for people. Colours appear only on a terminal: headings are bold, and states are coloured.
import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

/** Text stays plain with NO_COLOR, --no-color or TERM=dumb, and in a file or a pipe. */
export function makePaint(
  output: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  noColor: boolean,
): Paint {
  const plain = noColor || output.isTTY !== true || !!env.NO_COLOR || env.TERM === 'dumb';
  return plain ? noPaint : (style, text) => styleText(style, text, { validateStream: false });
}

export const noPaint: Paint = (_style, text) => text;

export function formatTable(rows: readonly (readonly string[])[], paint: Paint = noPaint): string {
  return alignColumns(rows, (cell, row) => (row === 0 ? paint('bold', cell) : paintCell(cell, paint)));
}

export function formatPairs(rows: readonly (readonly string[])[], paint: Paint = noPaint): string {
  return alignColumns(rows, (cell) => paintCell(cell, paint));
}

function alignColumns(
  rows: readonly (readonly string[])[],
  show: (padded: string, row: number) => string,
): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  );
  return rows
    .map((cells, row) =>
      cells
        .map((cell, column) => {
          const last = column === cells.length - 1;
          const spaces = last ? '' : ' '.repeat(widths[column]! - [...cell].length);
          return show(cell, row) + spaces;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const GOOD = /^(ok|active|enabled|completed|delivered|done|sent|matched|can be approved)\b/;
const OPEN = /^(warning|on_hold|review|pending|paused|active until|no destination)\b/;
const BAD = /^(problem|failed|refused|revoked|disabled|ended|off|no longer applies|halted)\b/;

function paintCell(cell: string, paint: Paint): string {
  if (OPEN.test(cell)) return paint('yellow', cell);
  if (GOOD.test(cell)) return paint('green', cell);
  return BAD.test(cell) ? paint('red', cell) : cell;
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
