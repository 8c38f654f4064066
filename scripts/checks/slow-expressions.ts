// Refuses regular expressions that take more than linear time: for a text that is twice as long they take four times as long or
// worse, so a short text from outside could block the service. The engine is recheck. It knows how the matcher of Node works,
// including the search for the start of a match. Tools like safe-regex2 only look for nested repetitions, and would accept the
// quadratic `/-+$/`. Only the folders that read text from outside the service are checked: the others would take minutes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Expression, Visitor } from 'oxc-parser';
import recheck from 'recheck/lib/browser.js';
import { isTest, lineOf, parseSource, readSources, type Source } from './source.ts';

interface Allowance {
  readonly file: string;
  /** The expression as it is written in the code. */
  readonly code: string;
  readonly why: string;
}

interface FoundExpression {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  /** Undefined: the check cannot compute the expression. */
  readonly regex: { readonly pattern: string; readonly flags: string } | undefined;
}

/** What is kept about an expression: why it is too slow, or null. */
type Verdicts = Record<string, string | null>;

/** The folders that read statement files, requests, payers and narrations. */
const FOLDERS = [
  ...['src/adapters/statements', 'src/domain/statements', 'src/app/statements'],
  ...['src/domain/matching', 'src/domain/reports', 'src/http'],
];
const ENGINE = 'recheck 4.5.0';
/** The same seed gives the same verdict in every run. */
const SETTINGS = { randomSeed: 1, timeout: 120_000 } as const;

export function findSlowExpressions(root: string, allowed: readonly Allowance[] = ALLOWED): string[] {
  const place = path.join(root, 'node_modules/.cache/sliproad/expressions.json');
  const known = readVerdicts(place);
  const verdicts: Verdicts = {};
  const expressions = findExpressions(root);
  const isAbout = ({ file, code }: Allowance, each: FoundExpression) =>
    file === each.file && code === each.code;
  const found = expressions.flatMap((each) => {
    // The engine judges some of the listed expressions in one run and not in another: it depends on the time that it has.
    if (allowed.some((allowance) => isAbout(allowance, each))) return [];
    const problem = each.regex === undefined ? UNKNOWN : judge(each.regex, known, verdicts);
    return problem === null ? [] : [`${each.file}:${each.line}: ${each.code} ${problem}`];
  });
  if (existsSync(path.join(root, 'node_modules'))) writeVerdicts(place, verdicts);
  const gone = allowed.filter((allowance) => !expressions.some((each) => isAbout(allowance, each)));
  return [
    ...found,
    ...gone.map(({ file, code }) => `${file}: has no ${code} any more: take it off the list`),
  ];
}

const UNKNOWN =
  'is made of values that the check does not know: write it as a literal, or list it in scripts/checks/slow-expressions.ts with the reason why it is linear';

function judge(
  { pattern, flags }: { readonly pattern: string; readonly flags: string },
  known: Verdicts,
  verdicts: Verdicts,
): string | null {
  const key = createHash('sha256').update(`${ENGINE} ${flags} ${pattern}`).digest('base64url');
  let verdict = known[key] ?? verdicts[key];
  if (verdict === undefined && !(key in known)) verdict = findSlowness(pattern, flags);
  // A busy machine may take too long to judge an expression, so this is not kept for the next run.
  if (verdict?.startsWith(NO_VERDICT)) return verdict;
  verdicts[key] = verdict ?? null;
  return verdicts[key];
}

const NO_VERDICT = 'cannot be judged';

function findSlowness(pattern: string, flags: string): string | null {
  const result = recheck.checkSync(pattern, flags, SETTINGS);
  if (result.status === 'safe') return null;
  if (result.status === 'unknown')
    return `${NO_VERDICT} (${result.error.kind}): make it simpler, or list it in scripts/checks/slow-expressions.ts with the reason why it is linear`;
  return `takes ${result.complexity.summary} time, for example for ${result.attack.pattern}: rewrite it so that it takes linear time, or list it in scripts/checks/slow-expressions.ts with the reason why its text is short`;
}

function findExpressions(root: string): FoundExpression[] {
  return readSources(
    root,
    FOLDERS.map((folder) => `${folder}/**/*.ts`),
  )
    .filter(({ file }) => !isTest(file))
    .flatMap(expressionsIn);
}

function expressionsIn(source: Source): FoundExpression[] {
  const { file, text } = source;
  const found: FoundExpression[] = [];
  const add = (node: { readonly start: number; readonly end: number }, regex: FoundExpression['regex']) =>
    found.push({ file, line: lineOf(text, node.start), code: text.slice(node.start, node.end), regex });
  const texts = makeTextReader(source);
  const made = (node: { start: number; end: number; callee: Expression; arguments: readonly unknown[] }) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
    const [pattern, flags] = node.arguments as Expression[];
    const [known, with_] = [texts(pattern), flags === undefined ? '' : texts(flags)];
    add(node, known === undefined || with_ === undefined ? undefined : { pattern: known, flags: with_ });
  };
  new Visitor({
    Literal: (node) => {
      if ('regex' in node && node.regex) add(node, node.regex);
    },
    NewExpression: made,
    CallExpression: made,
  }).visit(parseSource(source));
  return found;
}

/** Computes texts that are written in this file: literals, templates, and constants of such texts. */
function makeTextReader(source: Source): (node: Expression | undefined) => string | undefined {
  const constants = new Map<string, Expression>();
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init !== null) constants.set(id.name, init);
    },
  }).visit(parseSource(source));
  const read = (node: Expression | undefined): string | undefined => {
    if (node === undefined) return undefined;
    if (node.type === 'Literal') {
      if ('regex' in node && node.regex) return undefined;
      return typeof node.value === 'string' ? node.value : undefined;
    }
    if (node.type === 'Identifier') return read(constants.get(node.name));
    if (node.type === 'MemberExpression') return readSourceOf(node);
    if (node.type === 'TaggedTemplateExpression') {
      const isRaw = source.text.slice(node.tag.start, node.tag.end) === 'String.raw';
      return isRaw ? readTemplate(node.quasi, 'raw') : undefined;
    }
    return node.type === 'TemplateLiteral' ? readTemplate(node, 'cooked') : undefined;
  };
  const readSourceOf = (node: Extract<Expression, { type: 'MemberExpression' }>) => {
    if (node.computed || node.property.name !== 'source' || node.object.type !== 'Identifier')
      return undefined;
    const regex = constants.get(node.object.name);
    return regex?.type === 'Literal' && 'regex' in regex ? regex.regex?.pattern : undefined;
  };
  const readTemplate = (
    { quasis, expressions }: Extract<Expression, { type: 'TemplateLiteral' }>,
    kind: 'raw' | 'cooked',
  ): string | undefined => {
    const parts = expressions.map((each) => read(each));
    if (parts.some((each) => each === undefined)) return undefined;
    return quasis.map(({ value }, at) => `${value[kind]}${parts[at] ?? ''}`).join('');
  };
  return read;
}

function readVerdicts(place: string): Verdicts {
  try {
    return JSON.parse(readFileSync(place, 'utf8')) as Verdicts;
  } catch {
    return {};
  }
}

function writeVerdicts(place: string, verdicts: Verdicts): void {
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, JSON.stringify(verdicts));
}

/** Expressions that take more than linear time, but only for a text whose length has a small limit. */
const ALLOWED: readonly Allowance[] = [
  {
    file: 'src/adapters/statements/csv/preamble.ts',
    code: `new RegExp(
  String.raw\`\${DATE} ?(?:to|-|\\u2013|and|till|until|through|,){1,3} ?(?:to ?)?\${DATE}\`,
  'i',
)`,
    why: 'each repetition has a limit, and the text has at most 2,000 characters',
  },
  {
    file: 'src/adapters/statements/csv/preamble.ts',
    code: String.raw`/[-(\u20a6N]{0,4} ?\d[\d,.]{0,30}\)?(?: ?(?:CR|DR)\b)?/i`,
    why: 'each repetition has a limit, and the text has at most 2,000 characters',
  },
  {
    file: 'src/adapters/statements/csv/preamble.ts',
    code: `new RegExp(
  String.raw\`\\b(?:print(?:ed)?|generated|created|run|request(?:ed)?)\\b(?: ?(?:date|on|at)){0,3}\\W{0,10}\${DATE}\`,
  'i',
)`,
    why: 'each repetition has a limit, and the text has at most 2,000 characters',
  },
  {
    file: 'src/adapters/statements/text/elements.ts',
    code: `new RegExp(
      String.raw\`<!--|<!\\[CDATA\\[|<(\${prefix}(?:\${names.join('|')}))(?:\\s[^<>]*)?(\\/?)>\`,
    )`,
    why: 'the names are constants of the readers, and the search inside a tag ends at the next tag',
  },
  {
    file: 'src/domain/statements/amount.ts',
    code: String.raw`/\s*(CR|DR)\.?$/i`,
    why: 'the text has at most 60 characters',
  },
  {
    file: 'src/domain/statements/narration.ts',
    code: String.raw`/[\s:/\-.]*\b(?:RVSL|RSVL|REVERSAL|REVERSED)\W*$/i`,
    why: 'only the last 40 characters of a narration are searched',
  },
  {
    file: 'src/domain/statements/narrated-payer.ts',
    code: String.raw`/\bTRF(?=\S)(.{0,60}?)FRM (?=.{3,80} TO )/`,
    why: 'each repetition has a limit, and the text has at most 400 characters',
  },
  {
    file: 'src/domain/statements/narration-tags.ts',
    code: String.raw`/\|\| ?([^|]{5,80}?) REF:/`,
    why: 'each repetition has a limit',
  },
  {
    file: 'src/domain/statements/narration-fields.ts',
    code: String.raw`/([^\p{L}\p{N}*]*)(\*{0,8}[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.&_*-]*)/gu`,
    why: 'the text has at most 400 characters',
  },
  {
    file: 'src/domain/matching/inspect-name.ts',
    code: String.raw`/[[\p{L}\p{M}\p{N}]--[\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]]/v`,
    why: 'one character; the engine does not know the flag v',
  },
  {
    file: 'src/domain/matching/inspect-name.ts',
    code: String.raw`/[[\p{C}\p{Default_Ignorable_Code_Point}\u{2800}]--\p{White_Space}]/gv`,
    why: 'one character; the engine does not know the flag v',
  },
  {
    file: 'src/domain/matching/payer.ts',
    code: `new RegExp(\`(?<![a-z0-9])\${spaced}(?![a-z0-9])\`, 'i')`,
    why: 'the letters and digits of a reference, with other characters between them: each position has one way to match',
  },
  {
    file: 'src/http/admission/client-address.ts',
    code: String.raw`/(\d+)\.(\d+)\.(\d+)\.(\d+)$/`,
    why: 'the text is a well-formed address',
  },
  {
    file: 'src/http/pages/guide/render-markdown.ts',
    code: String.raw`/!?\[([^\]]*)\]\([^)]*\)/g`,
    why: 'the text is our own guide',
  },
  {
    file: 'src/http/pages/guide/render-markdown.ts',
    code: '/^\\s*(?:```\\w*|\\|[\\s|:-]+\\||[-*>]|\\d+\\.)\\s*/gm',
    why: 'the text is our own guide',
  },
];
