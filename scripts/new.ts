// `npm run new -- KIND NAME`: a folder that compiles, its contract test and its registration, for what contributors add most often.
import path from 'node:path';
import { KINDS, type Made } from './new/kinds.ts';
import { Refused } from './new/names.ts';
import { writeScaffold } from './new/write.ts';

const USAGE_CODE = 2;
const root = path.dirname(import.meta.dirname);

function usage(): string {
  const rows = Object.values(KINDS).map(({ usage, what }) => `  npm run new -- ${usage.padEnd(28)} ${what}`);
  return ['Usage:', ...rows, '', 'NAME is in kebab-case, such as acme-pay.'].join('\n');
}

function report({ scaffold: { files, edits }, next }: Made): string {
  return [
    'Made:',
    ...Object.keys(files).map((file) => `  ${file}`),
    'Registered:',
    ...edits.map(({ file, line }) => `  ${file}: ${line.replaceAll(/\s+/g, ' ')}`),
    'Next:',
    ...next.map((step, index) => `  ${index + 1}. ${step}`),
  ].join('\n');
}

function run([kind = '', name = '', ...more]: readonly string[]): string {
  if (!Object.hasOwn(KINDS, kind)) {
    const wrong = kind === '' ? [] : [`There is no scaffold called "${kind}".`];
    throw new Refused([...wrong, usage()].join('\n'));
  }
  if (name === '' || more.length > 0) throw new Refused(`Give one name.\n${usage()}`);
  const made = KINDS[kind]!.make(name);
  writeScaffold(root, made.scaffold);
  return report(made);
}

// Ctrl-C ends the formatter, and what was written is undone: without this it would end the command between two files.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

try {
  console.log(run(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(error.message);
  process.exitCode = USAGE_CODE;
}
