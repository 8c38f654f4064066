// Tests that docs/operate/networks.md explains every field of the networks file, and no other field.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseNetworks } from './networks-file.ts';

const PAGE = readFileSync(new URL('../../../../docs/operate/networks.md', import.meta.url), 'utf8');

function fieldsOf(family: string): readonly string[] {
  const row = { name: 'Elsewhere', mode: 'live', family, unheard_of: 1 };
  try {
    parseNetworks(JSON.stringify({ networks: [row] }));
  } catch (error) {
    return /Known fields: (.*)\.$/m.exec((error as Error).message)![1]!.split(', ');
  }
  return assert.fail('it was taken');
}

test('the page explains every field exactly once', () => {
  const known = new Set(['evm', 'solana', 'stellar'].flatMap(fieldsOf));
  const section = /## The file\n(.*?)\n## /s.exec(PAGE)![1]!;
  const explained = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
  assert.deepEqual(explained.toSorted(), [...known].toSorted());
});
