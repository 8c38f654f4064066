// Checks words with textlint. Every sentence of docs, comments, messages and tests must follow the style of the project. Docs
// must spell technical terms in the usual way.
import { TextlintKernel, type TextlintKernelOptions } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import plainText from '@textlint/textlint-plugin-text';
import terminology from 'textlint-rule-terminology';
import { CODE_FOLDERS, readSources, type Source } from './source.ts';
import { PHRASES } from './style.ts';

const READ = [
  ...CODE_FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,css,mjs,json,txt,lua}`),
  'docs/**/*.md',
  'migrations/**/*.sql',
  '*.md',
  'sdk/*.md',
  'config.example.env',
];

interface Allowance {
  readonly words: readonly string[];
  readonly why: string;
}

const APPLIED = { why: 'a migration that was applied never changes' };
const UNIX = { words: ['nobody'], why: 'it is the name of an account of Unix' };
/** The only files that may use one of the words. */
const ALLOWED: Readonly<Record<string, Allowance | 'all'>> = {
  'scripts/checks/style.ts': 'all',
  'scripts/checks/words.ts': 'all',
  'scripts/checks/words.test.ts': 'all',
  'migrations/0002_transactions.sql': { words: ['under way'], ...APPLIED },
  'migrations/0009_people.sql': { words: ['under way'], ...APPLIED },
  'migrations/0036_privacy.sql': { words: ['shall'], ...APPLIED },
  'src/adapters/embedded/files/os-user.ts': UNIX,
  'src/adapters/embedded/server/root.test.ts': UNIX,
};

/**
 * Entries of textlint's list that the project does not follow. `id`, `curl` and similar words are names of fields, commands and
 * files.
 */
const NOT_FOLLOWED = [
  'API',
  'SDK',
  'cURL',
  'Git',
  'ID',
  "id['’]?s",
  'indexes\\b',
  'readme(s)?',
  'e[- ]mail(s)?',
];

type Rule = NonNullable<TextlintKernelOptions['rules']>[number]['rule'];
type Context = Parameters<Extract<Rule, (...args: never[]) => unknown>>[0];

/** In Markdown, code is skipped. In any other file, every line is checked. */
function ownStyle({ Syntax, RuleError, report, getSource }: Context) {
  const read = (node: Parameters<typeof report>[0]) => {
    const text = getSource(node);
    for (const { words, instead } of PHRASES)
      for (const { 0: word, index } of text.matchAll(words))
        report(node, new RuleError(`"${word}" is unclear: ${instead}`, { index }));
  };
  return { [Syntax.Str]: read };
}

const OWN_RULE = { ruleId: 'own-style', rule: ownStyle as Rule };
const kernel = new TextlintKernel();

const FOR_MARKDOWN: TextlintKernelOptions = {
  ext: '.md',
  plugins: [{ pluginId: 'markdown', plugin: markdown.default }],
  rules: [OWN_RULE, { ruleId: 'terminology', rule: terminology as Rule, options: { exclude: NOT_FOLLOWED } }],
};
const FOR_TEXT: TextlintKernelOptions = {
  ext: '.txt',
  plugins: [{ pluginId: 'text', plugin: plainText.default }],
  rules: [OWN_RULE],
};

export async function findUnclearWords(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const source of readSources(root, READ)) found.push(...(await lint(source)));
  return found;
}

async function lint({ file, text }: Source): Promise<string[]> {
  const allowed = ALLOWED[file];
  if (allowed === 'all') return [];
  const isMarkdown = file.endsWith('.md');
  // A file without any of the phrases needs no parser.
  if (!isMarkdown && !PHRASES.some(({ words }) => text.search(words) !== -1)) return [];
  const { messages } = await kernel.lintText(text, isMarkdown ? FOR_MARKDOWN : FOR_TEXT);
  return messages
    .filter(({ message }) => !allowed?.words.some((word) => message.toLowerCase().startsWith(`"${word}"`)))
    .map(({ message, loc }) => `${file}:${loc.start.line}: ${message}`);
}
