// Asks the person at the terminal questions. Secret answers are not shown. Without a terminal, each line of standard input
// answers one question, in order. A script therefore never gives a secret as an option.
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { CommandError } from './terminal/command-error.ts';

export interface Questions {
  ask(question: string): Promise<string>;
  askSecretly(question: string): Promise<string>;
}

type TerminalInput = Readable & { readonly isTTY?: boolean };

export function makeQuestions(
  input: TerminalInput = process.stdin,
  output: Writable = process.stderr,
): Questions {
  const lines = input.isTTY === true ? null : makeLineReader(input);
  const ask = async (question: string, shown: boolean): Promise<string> => {
    if (lines === null) return askOnTerminal(input, output, question, shown);
    const line = await lines();
    if (line !== undefined) return line;
    throw new CommandError(
      `No answer to "${question.trim()}". Pass the answers on standard input, one per line.`,
      'usage',
    );
  };
  return {
    ask: (question) => ask(question, true),
    askSecretly: (question) => ask(question, false),
  };
}

/** The whole input is read at the first question, because piped input is short. */
function makeLineReader(input: TerminalInput): () => Promise<string | undefined> {
  let rest: Promise<string[]> | undefined;
  return async () => {
    rest ??= readAll(input);
    return (await rest).shift();
  };
}

const MAX_CHARACTERS = 10_000;

async function readAll(input: TerminalInput): Promise<string[]> {
  let text = '';
  for await (const part of input) {
    text += String(part);
    if (text.length > MAX_CHARACTERS) throw new CommandError('Standard input is too long.', 'usage');
  }
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

async function askOnTerminal(
  input: TerminalInput,
  output: Writable,
  question: string,
  shown: boolean,
): Promise<string> {
  // readline clears the line before it writes a question. For a secret answer, the question is therefore printed here, and
  // readline writes to a hidden output.
  if (!shown) output.write(question);
  const hidden = new Writable({ write: (_part, _encoding, done) => done() });
  const reader = createInterface({ input, output: shown ? output : hidden, terminal: true });
  try {
    const answer = await Promise.race([reader.question(shown ? question : ''), rejectOnInterrupt(reader)]);
    if (!shown) output.write('\n');
    return answer;
  } finally {
    reader.close();
  }
}

function rejectOnInterrupt(reader: { once(event: 'SIGINT', listener: () => void): unknown }): Promise<never> {
  return new Promise((_resolve, reject) => {
    reader.once('SIGINT', () => reject(new CommandError('Stopped. Nothing was changed.', 'interrupted')));
  });
}
