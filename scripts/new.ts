// `npm run new -- KIND NAME` creates a folder that compiles, a contract test and the registration, for the most common
// contributions.
import path from 'node:path';
import { type MadeScaffold, SCAFFOLD_KINDS } from './new/kinds.ts';
import { ScaffoldRefused } from './new/names.ts';
import { writeScaffold } from './new/write-scaffold.ts';

const USAGE_CODE = 2;
const root = path.dirname(import.meta.dirname);

function usageText(): string {
  const rows = Object.values(SCAFFOLD_KINDS).map(
    ({ usage, what }) => `  npm run new -- ${usage.padEnd(28)} ${what}`,
  );
  return ['Usage:', ...rows, '', 'NAME is in kebab-case, such as acme-pay.'].join('\n');
}

function reportText({ scaffold: { files, edits }, next }: MadeScaffold): string {
  return [
    'Made:',
    ...Object.keys(files).map((file) => `  ${file}`),
    'Registered:',
    ...edits.map(({ file, line }) => `  ${file}: ${line.replaceAll(/\s+/g, ' ')}`),
    'Next:',
    ...next.map((step, index) => `  ${index + 1}. ${step}`),
  ].join('\n');
}

function runScaffold([kind = '', name = '', ...more]: readonly string[]): string {
  if (!Object.hasOwn(SCAFFOLD_KINDS, kind)) {
    const wrong = kind === '' ? [] : [`There is no scaffold called "${kind}".`];
    throw new ScaffoldRefused([...wrong, usageText()].join('\n'));
  }
  if (name === '' || more.length > 0) throw new ScaffoldRefused(`Give one name.\n${usageText()}`);
  const made = SCAFFOLD_KINDS[kind]!.make(name);
  writeScaffold(root, made.scaffold);
  return reportText(made);
}

// Ctrl-C ends the formatter, and then the command removes the written files. Without this handler, Ctrl-C would end the command
// between two files.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

try {
  console.log(runScaffold(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof ScaffoldRefused)) throw error;
  console.error(error.message);
  process.exitCode = USAGE_CODE;
}
