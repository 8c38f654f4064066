// Tests the guard that checks each request to a signer: what it allows at the boundary of every limit, and what it refuses.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { memoryKey, memorySigner } from '../../../test/support/networks/memory-signer.ts';
import { type SigningRefusal, SigningRefused, type SigningRequest } from '../../ports/signer.ts';
import { guardSigner, type SigningDays, type SigningGuard, type SigningLimits } from './guarded-signer.ts';
import { makeStopFile } from './stop-file.ts';

const NONE: SigningLimits = { perTransactionMinor: null, perDayMinor: null, allowList: null };
/** One minute before midnight in Lagos. */
const LATE = Date.parse('2026-11-14T22:59:00Z');

function memoryDays(): SigningDays & { readonly sums: Map<string, bigint> } {
  const sums = new Map<string, bigint>();
  return {
    sums,
    spend: async (network, day, amountMinor, capMinor) => {
      const sum = (sums.get(`${network} ${day}`) ?? 0n) + amountMinor;
      if (capMinor !== null && sum > capMinor) return false;
      sums.set(`${network} ${day}`, sum);
      return true;
    },
  };
}

function stage(limits: Partial<SigningLimits>, changes: Partial<SigningGuard> = {}) {
  const days = memoryDays();
  const now = { ms: LATE };
  const signed: SigningRequest[] = [];
  const inner = memorySigner();
  const watched = {
    ...inner,
    sign: (request: SigningRequest) => {
      signed.push(request);
      return inner.sign(request);
    },
  };
  const guarded = guardSigner(watched, {
    limits: new Map([
      ['stellar', { ...NONE, ...limits }],
      ['polygon', { ...NONE, ...limits }],
    ]),
    stopped: () => false,
    days,
    clock: { now: () => now.ms },
    ...changes,
  });
  const sign = (amounts: readonly bigint[], network = 'stellar', to = 'GABC') =>
    guarded.sign({
      ...{ network, key: 'treasury', derived: null, scheme: 'ed25519', message: Buffer.from('pay') },
      spends: amounts.map((amountMinor) => ({ to, amountMinor })),
    });
  return { guarded, sign, signed, days, now };
}

const refused =
  (code: SigningRefusal, message = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof SigningRefused, inspect(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };

test('without limits the guard signs every request', async () => {
  const { guarded, sign, signed } = stage({});
  const plain = memorySigner();
  assert.deepEqual(
    await guarded.publicKey('treasury', 'ed25519'),
    await plain.publicKey('treasury', 'ed25519'),
  );
  assert.deepEqual(guarded.derivedPublicKey('treasury', 'a'), plain.derivedPublicKey('treasury', 'a'));
  assert.equal((await sign([10n ** 30n])).length, 64);
  assert.equal(signed.length, 1);
});

test('threat 49: the cap per payment applies to each payment of a batch, exactly to the last unit', async () => {
  const { sign, signed, days } = stage({ perTransactionMinor: 100n });
  await sign([100n]);
  await sign([100n, 100n, 100n]);
  await assert.rejects(sign([101n]), refused('over_cap_per_transaction', /101 .* stellar .* cap of 100/));
  await assert.rejects(sign([1n, 101n, 1n]), refused('over_cap_per_transaction'));
  assert.equal(signed.length, 2);
  assert.equal(days.sums.get('stellar 2026-11-14'), 400n, 'what is refused is not counted');
});

test('threat 49: the cap per day applies to the sum of all batches, exactly to the last unit', async () => {
  const { sign, signed } = stage({ perDayMinor: 100n });
  await sign([40n, 20n]);
  await assert.rejects(sign([41n]), refused('over_cap_per_day', /cap of 100 for 2026-11-14/));
  await assert.rejects(sign([20n, 21n]), refused('over_cap_per_day'));
  await sign([40n]);
  await assert.rejects(sign([1n]), refused('over_cap_per_day'));
  await sign([100n], 'polygon');
  await assert.rejects(sign([1n], 'polygon'), refused('over_cap_per_day'));
  assert.equal(signed.length, 3);
});

test('threat 49: the day of the cap begins at midnight in Lagos', async () => {
  const { sign, now, days } = stage({ perDayMinor: 100n });
  await sign([100n]);
  now.ms = Date.parse('2026-11-14T22:59:59.999Z');
  await assert.rejects(sign([1n]), refused('over_cap_per_day'));
  now.ms = Date.parse('2026-11-14T23:00:00.000Z');
  await sign([100n]);
  now.ms = Date.parse('2026-11-15T00:30:00.000Z');
  await assert.rejects(sign([1n]), refused('over_cap_per_day', /2026-11-15/));
  assert.deepEqual([...days.sums.keys()], ['stellar 2026-11-14', 'stellar 2026-11-15']);
});

test('threat 49: an amount is counted before the signature, and stays counted if signing fails', async () => {
  const order: string[] = [];
  const days = memoryDays();
  const broken = {
    ...memorySigner(),
    sign: async () => {
      order.push('sign');
      throw new Error('the key service is away');
    },
  };
  const guarded = guardSigner(broken, {
    limits: new Map([['stellar', { ...NONE, perDayMinor: 100n }]]),
    stopped: () => false,
    clock: { now: () => LATE },
    days: {
      spend: (...given) => {
        order.push('count');
        return days.spend(...given);
      },
    },
  });
  const request = {
    ...{ network: 'stellar', key: 'treasury', derived: null, message: Buffer.from('pay') },
    ...{ scheme: 'ed25519' as const, spends: [{ to: 'GABC', amountMinor: 60n }] },
  };
  await assert.rejects(guarded.sign(request), /the key service is away/);
  assert.deepEqual(order, ['count', 'sign']);
  await assert.rejects(guarded.sign(request), refused('over_cap_per_day'));
});

test('threat 49: only addresses on the allow-list are paid; the case of hexadecimal addresses does not matter', async () => {
  const evm = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  const { sign, signed } = stage({ allowList: ['GABC', evm] });
  await sign([1n]);
  await sign([1n], 'polygon', evm.toLowerCase());
  await assert.rejects(sign([1n], 'stellar', 'gabc'), refused('not_on_allow_list', /gabc .* stellar/));
  await assert.rejects(sign([1n], 'stellar', 'GABCD'), refused('not_on_allow_list'));
  await assert.rejects(sign([0n], 'stellar', 'GABCD'), refused('not_on_allow_list'));
  assert.equal(signed.length, 2);
  await assert.rejects(stage({ allowList: [] }).sign([1n]), refused('not_on_allow_list'), 'an empty list');
});

test('threat 49: a request without payments is within every cap, but the kill switch still stops it', async () => {
  let stopped = false;
  const limits = { perTransactionMinor: 0n, perDayMinor: 0n, allowList: [] };
  const { sign, days } = stage(limits, { stopped: () => stopped });
  await sign([]);
  assert.equal(days.sums.size, 0);
  stopped = true;
  await assert.rejects(sign([]), refused('stopped'));
});

test('threat 49: the kill switch takes effect at the next signature', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-stop-'));
  const stop = makeStopFile(directory);
  const { sign, signed, days } = stage({}, { stopped: stop.stopped });
  await sign([1n]);
  await stop.stop('stolen laptop');
  await assert.rejects(sign([1n]), refused('stopped', /signer status/));
  assert.equal(days.sums.get('stellar 2026-11-14'), 1n, 'nothing is counted while stopped');
  await stop.resume();
  await sign([1n]);
  assert.equal(signed.length, 2);
  rmSync(directory, { recursive: true });
});

test('threat 49: a stop while the daily sum is being updated prevents the signature', async () => {
  let stopped = false;
  const days: SigningDays = {
    spend: async () => {
      stopped = true;
      return true;
    },
  };
  const { sign, signed } = stage({}, { days, stopped: async () => stopped });
  await assert.rejects(sign([1n]), refused('stopped'));
  assert.equal(signed.length, 0);
});

test('threat 49: if a check is not possible, nothing is signed', async () => {
  const away = () => Promise.reject(new Error('no answer'));
  const unknownStop = stage({}, { stopped: away });
  await assert.rejects(unknownStop.sign([]), refused('unavailable', /stopped/));
  const uncounted = stage({}, { days: { spend: away } });
  await assert.rejects(uncounted.sign([1n]), refused('unavailable', /counted/));
  const { sign, signed } = stage({});
  await assert.rejects(sign([1n], 'avalanche'), refused('unavailable', /No signing limits.*avalanche/));
  await assert.rejects(sign([5n, -1n]), RangeError);
  assert.equal(signed.length + uncounted.signed.length + unknownStop.signed.length, 0);
});

test('threat 49: fifty concurrent requests never exceed the cap', async () => {
  const { sign, signed } = stage({ perDayMinor: 1_000n });
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => sign([70n])));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 14);
  assert.equal(signed.length, 14);
});

test('threat 92: the printed guard does not contain the key', () => {
  const { guarded } = stage({});
  const printed = `${inspect(guarded, { depth: 20, showHidden: true })}${JSON.stringify(guarded)}`;
  assert.ok(!printed.includes(Buffer.from(memoryKey('treasury')).toString('hex')));
});

test('the first stop creates the stop file, any file or link stops signing, and resume removes it', async () => {
  const directory = path.join(mkdtempSync(path.join(tmpdir(), 'sliproad-stop-')), 'data');
  const stop = makeStopFile(directory);
  assert.equal(await stop.stopped(), false, 'not even a directory');
  assert.equal(await stop.note(), undefined);
  assert.equal(await stop.resume(), false);
  assert.equal(await stop.stop('first'), true);
  assert.equal(await stop.stop('second'), false);
  assert.equal(await stop.note(), 'first');
  assert.equal(readFileSync(stop.location, 'utf8'), 'first\n');
  assert.equal(await stop.resume(), true);
  assert.ok(!existsSync(stop.location));
  writeFileSync(stop.location, '');
  assert.equal(await stop.stopped(), true, 'touched by hand');
  assert.equal(await stop.note(), '');
  await stop.resume();
  symlinkSync('/nowhere/at-all', stop.location);
  assert.equal(await stop.stopped(), true, 'a link that leads nowhere');
  assert.equal(await stop.stop('again'), false);
  const file = path.join(directory, 'file');
  writeFileSync(file, '');
  assert.equal(await makeStopFile(file).stopped(), true, 'it cannot be checked');
  rmSync(path.dirname(directory), { recursive: true });
});
