// Reads the product's source: which files are checked, and how places are named. A name consists of the function and the line,
// with a mark at the start of the branch. So it survives changes elsewhere in the file.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = new URL('../../..', import.meta.url);
const MARK = '▸';
const RUNS = /^(?:export )?(?:async )?(?:function|const|let|class)\b/m;
const FOLDERS = ['src/domain/', 'src/app/'] as const;

export function isCovered(file: string): boolean {
  return FOLDERS.some((folder) => file.startsWith(folder)) && !file.endsWith('.test.ts');
}

export function coveredFiles(): readonly string[] {
  const patterns = FOLDERS.map((folder) => `${folder}**/*.ts`);
  return globSync(patterns, { cwd: fileURLToPath(ROOT) })
    .filter((file) => isCovered(file) && RUNS.test(textOf(file)))
    .sort();
}

const texts = new Map<string, string>();

export function textOf(file: string): string {
  let text = texts.get(file);
  if (text === undefined) {
    text = readFileSync(new URL(file, ROOT), 'utf8');
    texts.set(file, text);
  }
  return text;
}

export function firstWord(file: string, offset: number): number {
  const blank = /(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = offset;
  blank.test(textOf(file));
  return blank.lastIndex;
}

export function beginsBranch(file: string, offset: number): boolean {
  return !')]},;'.includes(textOf(file).charAt(offset));
}

/** From 1. */
export function lineNumber(file: string, offset: number): number {
  return textOf(file).slice(0, offset).split('\n').length;
}

export function equalLines(file: string, from: number, offset: number): number {
  const text = textOf(file);
  const lines = text.slice(from, text.lastIndexOf('\n', offset - 1) + 1).split('\n');
  const line = unmarked(markedLine(file, offset));
  return lines.filter((each) => each.trim() === line).length;
}

export function unmarked(line: string): string {
  return line.replace(MARK, '').replace(/ #[0-9]+$/, '');
}

export function markedLine(file: string, offset: number): string {
  const text = textOf(file);
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const before = text.slice(start, offset).trimStart();
  return `${before}${MARK}${text.slice(offset, end === -1 ? undefined : end).trimEnd()}`;
}
