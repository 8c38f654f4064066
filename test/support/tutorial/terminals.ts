// The terminals of a tutorial reader: a shell that keeps its variables, and programs that run until Ctrl-C.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { until } from '../patience.ts';

export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Shell {
  run(commands: string): Promise<{ readonly printed: string; readonly code: number }>;
}

export interface Program {
  printed(): string;
  forget(): void;
  interrupt(): Promise<number | null>;
}

export function openShell(t: TestContext, place: Place): Shell {
  const { child, output } = start(t, ['-s'], place);
  child.stdin!.write('exec 2>&1\n');
  let read = 0;
  return {
    run: async (commands) => {
      child.stdin!.write(`${commands}\nprintf '\\n@ended %s\\n' $?\n`);
      const ended = () => /^(.*)\n@ended (\d+)\n/s.exec(output().slice(read));
      await until(`the shell has run ${commands}`, () => ended() !== null);
      const [whole, printed = '', code] = ended()!;
      read += whole.length;
      return { printed, code: Number(code) };
    },
  };
}

export function startProgram(t: TestContext, commands: string, place: Place): Program {
  const { child, output } = start(t, ['-c', `exec 2>&1\n${commands}`], place);
  let read = 0;
  return {
    printed: () => output().slice(read),
    forget: () => {
      read = output().length;
    },
    interrupt: async () => {
      const closed = once(child, 'close');
      process.kill(-child.pid!, 'SIGINT');
      await closed;
      return child.exitCode;
    },
  };
}

function start(
  t: TestContext,
  args: readonly string[],
  { cwd, env }: Place,
): { readonly child: ChildProcess; readonly output: () => string } {
  // The shell gets a separate process group. Ctrl-C and the end of the test must reach both the shell and its programs.
  const child = spawn('bash', args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    process.kill(-child.pid!, 'SIGKILL');
    await closed;
  });
  return { child, output: () => text };
}
