// Shows a mutant as a line diff.

const CONTEXT = 3;

export function diffOf(file: string, before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let top = 0;
  while (top < Math.min(old.length, now.length) && old[top] === now[top]) top++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - top && old.at(-1 - end) === now.at(-1 - end)) end++;
  const first = Math.max(0, top - CONTEXT);
  const tail = old.slice(old.length - end, old.length - end + CONTEXT);
  const lines = [
    ...old.slice(first, top).map((line) => ` ${line}`),
    ...old.slice(top, old.length - end).map((line) => `-${line}`),
    ...now.slice(top, now.length - end).map((line) => `+${line}`),
    ...tail.map((line) => ` ${line}`),
  ];
  return [`--- ${file}`, `+++ ${file}`, `@@ line ${first + 1} @@`, ...lines, ''].join('\n');
}
