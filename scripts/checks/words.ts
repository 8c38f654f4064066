// Plain words: a sentence names who does what. The words below hide that, so they are not used in code, tests, messages or
// docs. docs/start/glossary.md has the words to use instead.
import { CODE_FOLDERS, lineOf, readSources } from './source.ts';

const INSTEAD: Readonly<Record<string, string>> = {
  told: 'say who reports, saves, broadcasts or passes what to whom',
  nobody: 'name the person, business or process that does not, or say "no business", "no operator", "not"',
  somebody: 'name the person, business or process',
  anybody: 'name the person, business or process',
};
const WORDS = new RegExp(String.raw`\b(?:${Object.keys(INSTEAD).join('|')})\b`, 'gi');

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

const UNIX = { words: ['nobody'], why: 'it is the name of an account of Unix' };
/** The only files that may use one of the words. */
const ALLOWED: readonly Allowance[] = [
  { file: 'scripts/checks/words.ts', words: Object.keys(INSTEAD), why: 'it lists the words' },
  { file: 'scripts/checks/words.test.ts', words: Object.keys(INSTEAD), why: 'it shows that each is found' },
  { file: 'src/adapters/embedded/files/os-user.ts', ...UNIX },
  { file: 'src/adapters/embedded/server/root.test.ts', ...UNIX },
  { file: 'docs/operate/first-day.md', ...UNIX },
];

/** Entries of the rule's list that we do not follow: `id`, `curl` and the like are names of fields, commands and files. */
const NOT_FOLLOWED = ['cURL', 'Git', 'ID', "id['’]?s", 'indexes\\b', 'readme(s)?', 'e[- ]mail(s)?'];

type Rule = NonNullable<TextlintKernelOptions['rules']>[number]['rule'];
type Context = Parameters<Extract<Rule, (...args: never[]) => unknown>>[0];

/** In Markdown code is left out; of any other file every line is read. */
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
  // What no phrase occurs in needs no parser.
  if (!isMarkdown && !PHRASES.some(({ words }) => text.search(words) !== -1)) return [];
  const { messages } = await kernel.lintText(text, isMarkdown ? FOR_MARKDOWN : FOR_TEXT);
  return messages
    .filter(({ message }) => !allowed?.words.some((word) => message.toLowerCase().startsWith(`"${word}"`)))
    .map(({ message, loc }) => `${file}:${loc.start.line}: ${message}`);
}
