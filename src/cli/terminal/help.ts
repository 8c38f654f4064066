// Help texts, generated from the declarations of the commands.
import { EXIT_CODES } from './command-error.ts';
import { type DeclaredArguments, GLOBAL_OPTIONS, type OptionTable, optionText, usageOf } from './options.ts';
import { formatPairs } from './table.ts';

interface DescribedCommand extends DeclaredArguments {
  readonly name: string;
  readonly summary: string;
}

export function listHelp(commands: readonly DescribedCommand[]): string {
  const lines = commands.map((each) => `  ${usageLine(each)}\n      ${each.summary}`);
  return [
    'Usage: bin/sliproad COMMAND [OPTIONS]\n',
    ...lines,
    `\nEvery command has these options:\n${optionLines(GLOBAL_OPTIONS)}`,
    '\nSettings come from the environment, as for the service: see config.example.env.',
    `Exit codes: ${exitText()}. See docs/operate/command-line.md`,
  ].join('\n');
}

export function commandHelp(command: DescribedCommand): string {
  const own = Object.keys(command.options).length === 0 ? [] : ['', 'Options:', optionLines(command.options)];
  return [
    `Usage: bin/sliproad ${usageLine(command)}`,
    '',
    command.summary,
    ...own,
    '',
    'Every command has these options:',
    optionLines(GLOBAL_OPTIONS),
  ].join('\n');
}

export function usageLine(command: DescribedCommand): string {
  return `${command.name} ${usageOf(command)}`.trim();
}

function optionLines(options: OptionTable): string {
  return formatPairs(
    Object.entries(options).map(([name, option]) => [
      `  ${optionText(name, option)}`,
      option.needed ? `${option.about} (required)` : option.about,
    ]),
  );
}

function exitText(): string {
  return Object.entries(EXIT_CODES)
    .map(([word, code]) => `${code} ${word.replaceAll('_', ' ')}`)
    .join(', ');
}
