// Tests the period that an OFX file covers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatementItem } from '../../../domain/statements/row.ts';
import { peekStream } from '../text/text-stream.ts';
import { openOfx } from './reader.ts';

async function itemsOf(list: string): Promise<readonly StatementItem[]> {
  async function* bytes() {
    yield Buffer.from(
      `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>NGN<BANKTRANLIST>${list}</BANKTRANLIST></STMTRS></OFX>`,
    );
  }
  const { items } = openOfx(await peekStream(bytes()));
  return (await Array.fromAsync(items)).flat();
}

test('a file covers all days from its start date to its end date, or a single day', async () => {
  for (const [start, end, from, to] of [
    ['20260501', '20260531', '2026-05-01', '2026-05-31'],
    ['20260504', '20260504', '2026-05-04', '2026-05-04'],
    ['20260503233000', '20260504', '2026-05-04', '2026-05-04'],
  ])
    assert.deepEqual(await itemsOf(`<DTSTART>${start}<DTEND>${end}`), [{ kind: 'period', from, to }]);
});

test('a period that ends before it begins, or lacks a start or an end, covers no days', async () => {
  for (const list of ['<DTSTART>20260505<DTEND>20260504', '<DTSTART>20260504', '<DTEND>20260504'])
    assert.deepEqual(await itemsOf(list), []);
});

test('the period of one list does not apply to the next list', async () => {
  const lists =
    '<DTSTART>20260505<DTEND>20260504</BANKTRANLIST><BANKTRANLIST><DTSTART>20260401<DTEND>20260430';
  assert.deepEqual(await itemsOf(lists), [{ kind: 'period', from: '2026-04-01', to: '2026-04-30' }]);
});
