// Checks the project's rule for money: all amounts in src are bigint minor units. The code must not convert an amount to a
// number, round it with Math, or combine it with a fraction. The only exceptions are places where an amount leaves the service.
// They are listed, each with its reason.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Allowance {
  readonly file: string;
  readonly code: string;
  readonly why: string;
}

const ALLOWED: readonly Allowance[] = [
  {
    file: 'src/domain/values/money.ts',
    code: 'Number(amountMinor)',
    why: 'JSON of an answer; the exact decimals are tested',
  },
  {
    file: 'src/domain/rates/rates.ts',
    code: 'Number(rateE4)',
    why: 'JSON of an answer; at most four decimals',
  },
  { file: 'src/workers/quote-upkeep.ts', code: 'Number(minor / 100n)', why: 'a gauge of Prometheus' },
  { file: 'src/workers/check-ledger.ts', code: 'Number(minor)', why: 'a gauge of Prometheus' },
  { file: 'src/cli/commands/operations.ts', code: '.toFixed(', why: 'megabytes of a backup' },
];

/** Words that are only used for money. */
const MONEY =
  /[mM]inor|[aA]mount|[kK]obo|[nN]aira|[bB]alance|[lL]amport|[sS]troop|\bfees?(?:\b|[A-Z])|Fees?\b|E4\b/;
/** Calls that convert a bigint or a text to a number, or that round a number. */
const CALL = /(?<![\w.])(?:Number|parseInt|Number\.parseInt|Math\.\w+)\(/g;
const NEVER = /\b(?:Number\.)?parseFloat\(|\.toFixed\(|\.toPrecision\(/g;
const IDENTIFIER = String.raw`[\w.]*(?:[mM]inor|[aA]mount|[kK]obo|[nN]aira|[bB]alance|[fF]ee|E4)\w*`;
/**
 * Matches an amount combined with a fraction, an amount converted to a number by a unary sign, and an amount as a float in SQL.
 */
const FRACTION = new RegExp(
  String.raw`\b${IDENTIFIER}\s*[*/%+-]\s*\d*\.\d|\d\.\d+\s*[*/%+-]\s*${IDENTIFIER}|\d+e-?\d+\s*[*/]\s*${IDENTIFIER}`,
  'g',
);
const SIGN = new RegExp(String.raw`(?:[=(,:?[]|return)\s*\+\s*${IDENTIFIER}`, 'g');
const SQL = /\b\w*(?:minor|amount|balance|fee)\w*\s*(?:::\s*|',\s*')(?:float\d?|real|double precision)/g;

export function findFloatMoney(root: string, allowed: readonly Allowance[] = ALLOWED): string[] {
  const used = new Set<Allowance>();
  const found = globSync('src/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => {
      const code = stripComments(readFileSync(path.join(root, file), 'utf8'));
      return findFloatsIn(code)
        .filter(({ text }) => {
          const allowance = allowed.find((each) => each.file === file && text.startsWith(each.code));
          if (allowance !== undefined) used.add(allowance);
          return allowance === undefined;
        })
        .map(({ line, text }) => `${file}:${line}: money must stay a bigint of minor units: ${text}`);
    });
  const unused = allowed.filter((each) => !used.has(each));
  return [
    ...found,
    ...unused.map(({ file, code }) => `${file}: has no ${code} any more: take it off the list`),
  ];
}

function findFloatsIn(code: string): { line: number; text: string }[] {
  const at = (index: number, text: string) => ({ line: code.slice(0, index).split('\n').length, text });
  const calls = [...code.matchAll(CALL)]
    .map(({ index, 0: head }) => ({ index, text: head + readArguments(code, index + head.length) }))
    .filter(({ text }) => MONEY.test(text));
  const others = [NEVER, FRACTION, SIGN, SQL].flatMap((pattern) =>
    [...code.matchAll(pattern)].map(({ index, 0: text }) => ({ index, text })),
  );
  return [...calls, ...others].map(({ index, text }) => at(index, text.trim()));
}

function readArguments(code: string, start: number): string {
  let depth = 1;
  let end = start;
  while (depth > 0 && end < code.length) {
    if (code[end] === '(') depth++;
    if (code[end] === ')') depth--;
    end++;
  }
  return code.slice(start, end);
}

/** Keeps the line breaks, so that line numbers stay correct. */
function stripComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|\s)\/\/[^\n]*/g, '$1');
}
