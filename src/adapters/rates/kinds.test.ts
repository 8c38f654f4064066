// Tests the list of kinds of rate sources. Every kind in this folder is listed, and RATES_FILE can use every listed kind.
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { parseAnswerJson } from './answer-json.ts';
import { openSource } from './fetch-answer.ts';
import { SOURCE_KINDS } from './kinds.ts';
import { readRatesFile } from './settings/rates-file.ts';
import { MEBIBYTE, type SourceKind } from './source-kind.ts';

test('every kind of source in this folder is in the list', async () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'));
  const kinds: unknown[] = [];
  for (const file of files) {
    const exported = Object.values(
      (await import(path.join(import.meta.dirname, file))) as Record<string, unknown>,
    );
    kinds.push(...exported.filter((each) => typeof each === 'object' && each !== null && 'parse' in each));
  }
  assert.deepEqual(new Set(kinds), new Set(SOURCE_KINDS.values()));
  for (const name of SOURCE_KINDS.keys()) assert.match(name, /^[a-z][a-z_]{0,31}$/);
});

const bureau: SourceKind = {
  mostBytes: MEBIBYTE,
  options: { branch: { pattern: /^[a-z]+$/, what: 'the name of a branch in small letters' } },
  parse: ({ text, askedAtMs }) => [
    { currency: 'USD', valueE4: BigInt(`${parseAnswerJson(text)}`), asOfMs: askedAtMs },
  ],
};

test('a new kind of source needs only its entry in the list, and has its own fields and limits', async (t) => {
  const asked: unknown[] = [];
  const server = createServer(({ url, headers }, answer) => {
    asked.push([url, headers['user-agent'], headers['x-shop']]);
    answer.end('"13615000"');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-kinds-'));
  t.after(() => {
    server.close();
    rmSync(directory, { recursive: true });
  });
  const file = path.join(directory, 'rates.json');
  const times = { every: '5m', age_limit: '1h', timeout: '5s' };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{branch}/usd`;
  const row = { name: 'bdc', kind: 'bureau', url, branch: 'lagos', headers: { 'x-shop': '7' }, ...times };
  writeFileSync(file, JSON.stringify({ sources: [row], products: {} }));
  const kinds = new Map([...SOURCE_KINDS, ['bureau', bureau]]);
  const { sources } = readRatesFile(file, () => undefined, kinds);
  const source = openSource(sources[0]!, { clock: { now: () => 5 }, userAgent: 'Sliproad/test' });
  assert.deepEqual(
    [source.name, source.kind, source.everyMs, source.ageLimitMs, source.timeoutMs],
    ['bdc', 'bureau', 300_000, 3_600_000, 5_000],
  );
  assert.deepEqual(await source.read(new AbortController().signal), [
    { currency: 'USD', valueE4: 13_615_000n, asOfMs: 5 },
  ]);
  assert.deepEqual(asked, [['/lagos/usd', 'Sliproad/test', '7']]);
});
