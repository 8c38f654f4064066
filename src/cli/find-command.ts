// Finds the typed command. If no command has this name, suggests the nearest command or the help.
import { findNearestWord } from '../domain/values/nearest-word.ts';
import type { Command } from './command.ts';

export function unknownCommandMessage(
  words: readonly string[],
  commands: readonly Pick<Command, 'name'>[],
): string {
  const group = wordsBeforeOptions(words);
  if (findGroup(words, commands).length > 0)
    return `"${group}" is not a complete command. See: bin/sliproad ${group} --help`;
  const problem = `There is no command "${words.slice(0, 2).join(' ')}".`;
  const meant = nearestCommand(
    words,
    commands.map(({ name }) => name),
  );
  if (meant !== undefined) return `${problem} Did you mean: bin/sliproad ${meant}`;
  const isGroup = commands.some(({ name }) => name.startsWith(`${words[0]} `));
  return `${problem} See: bin/sliproad ${isGroup ? `${words[0]} ` : ''}--help`;
}

export function findCommand<Named extends Pick<Command, 'name'>>(
  words: readonly string[],
  commands: readonly Named[],
): Named | undefined {
  return commands
    .filter(({ name }) => name.split(' ').every((word, index) => word === words[index]))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

export function findGroup<Named extends Pick<Command, 'name'>>(
  words: readonly string[],
  commands: readonly Named[],
): readonly Named[] {
  return commands.filter(({ name }) => name.startsWith(`${wordsBeforeOptions(words)} `));
}

function wordsBeforeOptions(words: readonly string[]): string {
  const end = words.findIndex((word) => word.startsWith('-'));
  return words.slice(0, end === -1 ? words.length : end).join(' ');
}

/**
 * The command name that is nearest to the typed words. Each name is compared with the same number of typed words, because the
 * remaining words are arguments.
 */
function nearestCommand(words: readonly string[], names: readonly string[]): string | undefined {
  const lengths = [...new Set(names.map((name) => name.split(' ').length))].sort((a, b) => b - a);
  for (const length of lengths) {
    const sameLength = names.filter((name) => name.split(' ').length === length);
    const found =
      words.length < length ? undefined : findNearestWord(words.slice(0, length).join(' '), sameLength);
    if (found !== undefined) return found;
  }
  return undefined;
}
