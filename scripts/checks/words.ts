// Plain words: a sentence names who does what. The words below hide that, so they are not used in code, tests, messages or
// docs. docs/glossary.md has the words to use instead.
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
  readonly file: string;
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
  { file: 'docs/operating.md', ...UNIX },
];

export function findUnclearWords(root: string): string[] {
  return readSources(root, READ).flatMap(({ file, text }) =>
    [...text.matchAll(WORDS)]
      .map(({ 0: word, index }) => ({ word, index, plain: word.toLowerCase() }))
      .filter(({ plain }) => !ALLOWED.some((each) => each.file === file && each.words.includes(plain)))
      .map(
        ({ word, index, plain }) => `${file}:${lineOf(text, index)}: "${word}" is unclear: ${INSTEAD[plain]}`,
      ),
  );
}
