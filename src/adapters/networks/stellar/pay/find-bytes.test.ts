// Tests what one server shows about signed bytes whose sequence number is used.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeView } from '../../../../../test/contract/stellar/stellar-fixtures.ts';
import { OTHER, other, pass, stage, take } from '../../../../../test/support/networks/stellar-asking.ts';
import { readEnvelopeVersions } from '../horizon/envelope.ts';
import { type BytesFinding, findBytes } from './find-bytes.ts';

async function asked() {
  const view = makeView();
  const { chain, prepared } = await stage([view]);
  const versions = readEnvelopeVersions([prepared], chain.settings.passphrase);
  const found = async (): Promise<BytesFinding> => {
    const [finding] = await chain.providers.every((horizon, name) =>
      findBytes(chain, horizon, name, versions),
    );
    return finding!;
  };
  return { view, found, boundMs: Number(prepared.bound) };
}

test('a used sequence number counts as expired only if a ledger closed after the expiry, not exactly at it', async () => {
  const { view, found, boundMs } = await asked();
  take(view);
  for (const [closedAtMs, expired] of [
    [boundMs - 1_000, false],
    [boundMs, false],
    [boundMs + 1_000, true],
  ] as const) {
    pass(view, closedAtMs);
    assert.deepEqual(await found(), { kind: 'taken', expired });
  }
});

test('another transaction with the same sequence number is returned with its hash and its ledger', async () => {
  const { view, found } = await asked();
  take(view, other(OTHER));
  const finding = await found();
  assert.ok(finding.kind === 'displaced');
  const { hash, sequence, height } = finding.displacement;
  assert.deepEqual([hash, sequence, height], [OTHER, '42', 101n]);
});
