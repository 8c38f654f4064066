// The arguments and options of a command, declared once as data for parsing, help and shell completion. No input is ignored: an
// unknown option or argument is refused with a hint.
import { parseArgs } from 'node:util';
import { findNearestWord } from '../../domain/values/nearest-word.ts';
import { UsageError } from './command-error.ts';

export interface CommandOption {
  /** The placeholder of the value in the help. An option without a value and without choices is a flag. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly needed?: true;
  readonly about: string;
}

export type OptionTable = Readonly<Record<string, CommandOption>>;

/**
 * The arguments of a command. `NAME` is required, `[NAME]` is optional. The last argument may be `NAME...` (one or more) or
 * `[NAME...]` (any number).
 */
export type WordTable = readonly string[];

export interface DeclaredArguments<
  Words extends WordTable = WordTable,
  Options extends OptionTable = OptionTable,
> {
  readonly words: Words;
  readonly options: Options;
}

type ValueOf<Each extends CommandOption> = Each extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Each extends { readonly value: string }
    ? string
    : boolean;

type GivenOption<Each extends CommandOption> = Each extends { readonly needed: true }
  ? ValueOf<Each>
  : ValueOf<Each> extends boolean
    ? boolean
    : ValueOf<Each> | undefined;

type GivenWord<Word> = Word extends `${string}...` | `[${string}...]`
  ? readonly string[]
  : Word extends `[${string}]`
    ? string | undefined
    : string;

export interface GivenArguments<
  Words extends WordTable = WordTable,
  Options extends OptionTable = OptionTable,
> {
  readonly words: { readonly [Index in keyof Words]: GivenWord<Words[Index]> };
  readonly options: { readonly [Name in keyof Options]: GivenOption<Options[Name]> };
  readonly globals: Globals;
}

export const GLOBAL_OPTIONS = {
  json: { about: 'print only one JSON document, for scripts' },
  'no-color': { about: 'print without colours, like NO_COLOR=1' },
  help: { about: 'show the arguments and options of the command' },
} as const satisfies OptionTable;

export type Globals = { readonly [Name in keyof typeof GLOBAL_OPTIONS]: boolean };

const isFlag = ({ value, choices }: CommandOption): boolean => value === undefined && choices === undefined;

export function readArguments<Words extends WordTable, Options extends OptionTable>(
  args: readonly string[],
  declared: DeclaredArguments<Words, Options>,
): GivenArguments<Words, Options> {
  const table: OptionTable = { ...declared.options, ...GLOBAL_OPTIONS };
  const { tokens, positionals } = parseArgs({
    args: args.map((word) => (word === '-h' ? '--help' : word)),
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(table).map(([name, option]) => [name, { type: isFlag(option) ? 'boolean' : 'string' }]),
    ),
  });
  const found: Record<string, string | true> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    if (!Object.hasOwn(table, name))
      throw new UsageError(unknownOptionMessage(rawName, Object.keys(declared.options)));
    found[name] = readValue(table[name]!, rawName, value, inlineValue === true);
  }
  const globals = pickGiven(found, GLOBAL_OPTIONS) as Globals;
  // With --help, no option is checked, because a person may use --help to find a missing option.
  if (globals.help) return { globals } as GivenArguments<Words, Options>;
  for (const [name, { needed }] of Object.entries(declared.options))
    if (needed && found[name] === undefined) throw new UsageError(`--${name} is missing.`);
  return {
    globals,
    options: pickGiven(found, declared.options) as GivenArguments<Words, Options>['options'],
    words: readWords(positionals, declared.words) as GivenArguments<Words, Options>['words'],
  };
}

function pickGiven(found: Readonly<Record<string, string | true>>, table: OptionTable): object {
  return Object.fromEntries(
    Object.entries(table).map(([name, option]) => [
      name,
      found[name] ?? (isFlag(option) ? false : undefined),
    ]),
  );
}

function readValue(
  option: CommandOption,
  rawName: string,
  value: string | undefined,
  inline: boolean,
): string | true {
  if (isFlag(option)) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    return true;
  }
  if (value === undefined || value === '' || (!inline && value.startsWith('-')))
    throw new UsageError(
      `${rawName} needs a value: ${rawName} VALUE. If the value starts with -, write ${rawName}=VALUE.`,
    );
  if (option.choices !== undefined && !option.choices.includes(value))
    throw new UsageError(`${rawName} must be ${choicesText(option.choices)}.`);
  return value;
}

function choicesText(choices: readonly string[]): string {
  return choices.length === 2 ? choices.join(' or ') : `one of ${choices.join(', ')}`;
}

function readWords(given: readonly string[], table: WordTable): (string | undefined | readonly string[])[] {
  const takesMore = table.at(-1)?.includes('...') ?? false;
  if (!takesMore && given.length > table.length) throw new UsageError(tooManyWordsMessage(table.length));
  return table.map((word, at) => {
    const optional = word.startsWith('[');
    const name = word.replaceAll(/[[\].]/g, '');
    const value = word.includes('...') ? given.slice(at) : given[at];
    if (!optional && (value === undefined || value.length === 0)) throw new UsageError(`${name} is missing.`);
    return value;
  });
}

/** An unknown option that is longer than this is not repeated in the message. It may be a secret that was pasted by mistake. */
const MAX_SHOWN_CHARACTERS = 32;

function unknownOptionMessage(rawName: string, names: readonly string[]): string {
  const known = [...names, ...Object.keys(GLOBAL_OPTIONS)].map((name) => `--${name}`);
  const shown = rawName.length <= MAX_SHOWN_CHARACTERS ? ` ${rawName}` : ' of that name';
  const meant = findNearestWord(rawName, known);
  if (meant !== undefined) return `There is no option${shown}. Did you mean ${meant}?`;
  return `There is no option${shown}. Known options: ${known.join(', ')}.`;
}

/** The message does not repeat the arguments, because one of them may be a secret that was typed by mistake. */
function tooManyWordsMessage(allowed: number): string {
  const most =
    allowed === 0 ? 'no arguments' : allowed === 1 ? 'one argument' : `at most ${allowed} arguments`;
  return `There are too many arguments: besides its options this command takes ${most}. Put quotes around text with spaces. Never type a secret or a passphrase on the command line.`;
}

export function usageOf({ words, options }: DeclaredArguments): string {
  const shown = Object.entries(options).map(([name, option]) => {
    const text = optionText(name, option);
    return option.needed ? text : `[${text}]`;
  });
  return [...words, ...shown].join(' ');
}

export function optionText(name: string, { value, choices }: CommandOption): string {
  const text = choices === undefined ? value : choices.join('|');
  return text === undefined ? `--${name}` : `--${name} ${text}`;
}
