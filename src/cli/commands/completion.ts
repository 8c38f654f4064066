// Shell completion: a script for bash, zsh or fish, generated from the declarations of all commands.
import { type Command, defineCommand } from '../command.ts';
import { UsageError } from '../terminal/command-error.ts';
import { GLOBAL_OPTIONS, type OptionTable } from '../terminal/options.ts';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof SHELLS;

/** `commands` is a function, because the list of commands contains this command itself. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: 'completion',
    words: ['SHELL'],
    summary: `Print a script that completes commands and options in the shell: ${Object.keys(SHELLS).join(', ')}.`,
    run: async (terminal, { words: [shell] }) => {
      if (!Object.hasOwn(SHELLS, shell))
        throw new UsageError(`SHELL must be one of ${Object.keys(SHELLS).join(', ')}.`);
      const script = SHELLS[shell as Shell](commands());
      terminal.print(script);
      return { shell, script };
    },
  });
}

/** The words that may follow the words typed so far. Options come after the command name. */
function listFollowingWords(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  const add = (before: string, word: string) => {
    const words = found.get(before) ?? new Set();
    found.set(before, words.add(word));
  };
  for (const { name, options } of commands) {
    const words = name.split(' ');
    words.forEach((word, at) => {
      add(words.slice(0, at).join(' '), word);
    });
    for (const option of Object.keys(allOf(options))) add(name, `--${option}`);
  }
  return new Map([...found].map(([before, words]) => [before, [...words]]));
}

const allOf = (options: OptionTable): OptionTable => ({ ...options, ...GLOBAL_OPTIONS });

/** The allowed values of each option of each command. */
function listChoices(commands: readonly Command[]): readonly (readonly [string, readonly string[]])[] {
  return commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, { choices: values }]) =>
      values === undefined ? [] : [[`${name} --${option}`, values] as const],
    ),
  );
}

function shellCases(commands: readonly Command[]): string {
  const lines = [
    ...listChoices(commands).map(([key, values]) => ['v', key, values] as const),
    ...[...listFollowingWords(commands)].map(([key, words]) => ['w', key, words] as const),
  ];
  return lines.map(([kind, key, words]) => `    "${kind}:${key}") echo "${words.join(' ')}" ;;`).join('\n');
}

const SHARED = `_sliproad_find() {
  # The longest run of words that is the name of a command or of a group, then the value or the words that may follow.
  local name="" word
  for word in "\${@:1:$#-1}"; do
    case $word in -*) break ;; esac
    [ -n "$(_sliproad_words "w:\${name:+$name }$word")" ] || break
    name="\${name:+$name }$word"
  done
  local values
  values=$(_sliproad_words "v:$name \${@:$#}")
  echo "\${values:-$(_sliproad_words "w:$name")}"
}`;

function bashScript(commands: readonly Command[]): string {
  return `# Completion of sliproad for bash. Use it with: source <(bin/sliproad completion bash)
_sliproad_words() {
  case $1 in
${shellCases(commands)}
  esac
}
${SHARED}
_sliproad() {
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=($(compgen -W "$(_sliproad_find "\${before[@]}" "\${COMP_WORDS[COMP_CWORD-1]}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _sliproad sliproad bin/sliproad ./bin/sliproad`;
}

function zshScript(commands: readonly Command[]): string {
  return `#compdef sliproad
# Completion of sliproad for zsh. Use it with: source <(bin/sliproad completion zsh)
_sliproad_words() {
  case $1 in
${shellCases(commands)}
  esac
}
${SHARED}
_sliproad() {
  local before=("\${(@)words[2,CURRENT-1]}")
  compadd -- \${=$(_sliproad_find "\${before[@]}" "\${words[CURRENT-1]}")}
}
compdef _sliproad sliproad bin/sliproad ./bin/sliproad`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = [...listFollowingWords(commands)].flatMap(([before, words]) =>
    words
      .filter((word) => !word.startsWith('--'))
      .map((word) => `complete -c sliproad -n '__sliproad_at "${before}"' -a '${word}'`),
  );
  const options = commands.flatMap(({ name, options: own }) =>
    Object.entries(allOf(own)).map(([option, { value, choices: values, about }]) => {
      const takes =
        values === undefined ? (value === undefined ? '' : ' -r') : ` -x -a '${values.join(' ')}'`;
      return `complete -c sliproad -n '__sliproad_in "${name}"' -l ${option}${takes} -d '${about.replaceAll("'", "\\'")}'`;
    }),
  );
  return `# Completion of sliproad for fish. Use it with: bin/sliproad completion fish | source
complete -c sliproad -f
function __sliproad_typed
    string join ' ' -- (string match -v -- '-*' (commandline -opc)[2..])
end
function __sliproad_at
    test (__sliproad_typed) = "$argv[1]"
end
function __sliproad_in
    string match -q -- "$argv[1]*" (__sliproad_typed)
end
${[...lines, ...options].join('\n')}`;
}
