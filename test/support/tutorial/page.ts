// Reads a tutorial as a list of steps: what to run in which terminal, which file to save, and the expected output. A block that
// is none of these, or names no terminal, is an error of the page. So no block is silently skipped.

export type Step =
  | { readonly kind: 'run'; readonly terminal: number; readonly text: string }
  | { readonly kind: 'save'; readonly name: string; readonly text: string }
  | { readonly kind: 'see'; readonly terminal: number; readonly text: string };

/** The languages of examples that do not run, because they may not be installed on this machine. */
const NOT_RUN = ['python'];

export function readSteps(page: string): readonly Step[] {
  const steps: Step[] = [];
  let before = '';
  let terminal = 0;
  for (const [, prose = '', language = '', text = ''] of page.matchAll(/(.*?)^```(\w+)\n(.*?)^```$/gms)) {
    before = prose.trim().split('\n\n').at(-1) ?? '';
    if (language === 'sh') {
      const [, number] = /^# Terminal (\d)\n/.exec(text) ?? [];
      if (number === undefined) throw new Error(`This block names no terminal:\n${text}`);
      terminal = Number(number);
      steps.push({ kind: 'run', terminal, text });
    } else if (language === 'js') {
      const [, name] = /[Ss]ave this as `([^`]+)`/.exec(before) ?? [];
      if (name === undefined) throw new Error(`This file has no name:\n${text}`);
      steps.push({ kind: 'save', name, text });
    } else if (language === 'text') {
      const [, number] = /[Tt]erminal (\d) shows/.exec(before) ?? [];
      steps.push({ kind: 'see', terminal: Number(number ?? terminal), text: text.trimEnd() });
    } else if (!NOT_RUN.includes(language)) throw new Error(`A block in ${language} is not understood.`);
  }
  return steps;
}

const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\b(txn|evt|whe|whd|biz|crd|ref)_[0-9a-z]{26}/g, '$1_ID'],
  [/\breq_[0-9a-z]+/g, 'req_ID'],
  [/\b(sk_test|whsec)_[\w+/=]+/g, '$1_SECRET'],
  [/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z| \+00:00)/g, 'TIME'],
  [/\b\d+ ms\b/g, 'MS'],
];

export function withoutVarying(text: string): string {
  const trimmed = text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  return VARYING.reduce((rest, [what, name]) => rest.replaceAll(what, name), trimmed);
}

/** Compares the whole output. `…` in the expected output matches anything. */
export function shows(printed: string, expected: string): boolean {
  const pattern = withoutVarying(expected)
    .split('…')
    .map((part) => RegExp.escape(part))
    .join('.*?');
  return new RegExp(`^${pattern}$`, 's').test(withoutVarying(printed));
}
