// Tests that the command line accepts every bin/sliproad command in the docs: it declares the command's name, words, options
// and their values. It also runs those blocks in docs/operate that a sandbox can run.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { findCommand, findGroup } from '../../src/cli/find-command.ts';
import { readArguments } from '../../src/cli/terminal/options.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  ...readdirSync(path.join(REPOSITORY, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name}`,
  ),
].filter((name) => name.endsWith('.md'));

interface Line {
  readonly page: string;
  readonly text: string;
  /** Whether the line is inside of ```sh. Readers paste such a line, so nothing may be missing from it. */
  readonly whole: boolean;
}

function commandLines(page: string): Line[] {
  const text = readFileSync(path.join(REPOSITORY, page), 'utf8');
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block.replaceAll(/\\\n\s*/g, ' ').split('\n'),
  );
  const prose = text.replaceAll(/```.*?```/gs, '');
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [
    ...blocks.filter(isOurs).map((line) => ({ page, text: line, whole: true })),
    ...inline.filter(isOurs).map((line) => ({ page, text: line, whole: false })),
    // These are commands like `ledger fund --asset …` in running text, without the name of the program.
    ...inline
      .filter(
        (code) => /^[a-z]+( [a-z-]+)+ /.test(code) && findCommand(code.split(' '), COMMANDS) !== undefined,
      )
      .map((line) => ({ page, text: `bin/sliproad ${line}`, whole: false })),
  ];
}

const isOurs = (line: string): boolean => /(^|\s)(bin\/)?sliproad [a-z]/.test(line);

/** Splits the line as a shell does. The result has no comments, redirections, settings before the command, or quotes. */
function wordsOf(line: string): string[] {
  const [, after = ''] = /(?:^|\s)(?:bin\/)?sliproad (.*)$/.exec(line) ?? [];
  const bare = after
    .replace(/\s#.*$/, '')
    .replace(/\s[<>|].*$/, '')
    .replace(/;.*$/, '');
  return (bare.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
}

test('the command line accepts every command in the docs', () => {
  const wrong: string[] = [];
  let read = 0;
  for (const { page, text, whole } of PAGES.flatMap(commandLines)) {
    const words = wordsOf(text);
    const command = findCommand(words, COMMANDS);
    if (command === undefined) {
      // A mention like `reviews propose` in running text may name a group of commands.
      if (whole || findGroup(words, COMMANDS).length === 0) wrong.push(`${page}: ${text}: no such command`);
      continue;
    }
    read += 1;
    const rest = words.slice(command.name.split(' ').length).filter(
      // The "…" after the last option is removed, but not a "…" that is the value of an option.
      (word, at, all) => word !== '…' || all[at - 1]?.startsWith('--') === true,
    );
    try {
      readArguments(rest, command);
    } catch (error) {
      const { message } = error as Error;
      // A short mention in a sentence may omit required options, but the options that it has must be correct.
      if (whole || !/ is missing/.test(message)) wrong.push(`${page}: ${text}: ${message}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(read > 100, `only ${read} command lines were found`);
});
