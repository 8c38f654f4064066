// Proves that the cases about lagging servers can fail: every mistake planted in the real adapter makes one of them fail.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EVM_BUGS } from './planted-evm.ts';

const RED = 3;
const AT_ONCE = 2;
const SCRIPT = fileURLToPath(import.meta.resolve('./run-planted-evm.ts'));

function play(name: string): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, [SCRIPT, name], { stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString('utf8');
    });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })));
}

test(`threat 42: ${EVM_BUGS.length} planted mistakes in the EVM adapter are all caught`, async () => {
  const waiting = [...EVM_BUGS];
  const others: string[] = [];
  const work = async () => {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      const { code, said } = await play(bug.name);
      if (code !== RED || !said.includes('AssertionError')) others.push(`${bug.name} (${code}): ${said}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  assert.deepEqual(others, []);
});
