// What is answered to a command that does not exist: the nearest command, or where the commands are listed.
import type { Command } from './command.ts';
import { nearest } from './nearest.ts';

export function unknownCommand(words: readonly string[], commands: readonly Pick<Command, 'name'>[]): string {
  const problem = `There is no command "${words.slice(0, 2).join(' ')}".`;
  const meant = nearestCommand(
    words,
    commands.map(({ name }) => name),
  );
  if (meant !== undefined) return `${problem} Did you mean: bin/sliproad ${meant}`;
  const isGroup = commands.some(({ name }) => name.startsWith(`${words[0]} `));
  return `${problem} See: bin/sliproad ${isGroup ? `${words[0]} ` : ''}--help`;
}

/** Compares each name with as many of the given words as it has: what follows are arguments. */
function nearestCommand(words: readonly string[], names: readonly string[]): string | undefined {
  const lengths = [...new Set(names.map((name) => name.split(' ').length))].sort((a, b) => b - a);
  for (const length of lengths) {
    const sameLength = names.filter((name) => name.split(' ').length === length);
    const found = words.length < length ? undefined : nearest(words.slice(0, length).join(' '), sameLength);
    if (found !== undefined) return found;
  }
  return undefined;
}
