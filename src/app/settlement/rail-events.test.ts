// Tests rail events. Only the rail's own response counts as proof. A forged, replayed, duplicated, late or lost event changes
// only the speed. The rails are the real adapters with local banks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEventStage } from '../../../test/support/rails/event-stage.ts';
import { PAYER } from '../../../test/support/settlement.ts';
import type { CreditLine } from '../../ports/rails/rail-statement.ts';

const stage = await openEventStage();
const { rig, banks, vendor } = stage;
const NAMES = ['providus', 'paystack', 'monnify'] as const;
const BANKS = { providus: 'Providus Bank', paystack: 'Wema Bank', monnify: 'Moniepoint' };
let nextKobo = 2_000_000n;
const newAmount = () => {
  nextKobo += 100n;
  return { kobo: nextKobo, naira: `${nextKobo / 100n}.00` };
};
const only = async (name: string, sourceId: string) =>
  (await stage.credits(name)).filter((each) => each.source_id === sourceId);
const last = async (name: string) => (await stage.events(name)).at(-1)!;

for (const name of NAMES)
  test(`${name}: an event is stored, verified and credited once; it pays the buy, and the list adds no second credit`, async () => {
    const { kobo, naira } = newAmount();
    const buy = await rig.buy({
      ...{ amountMinor: kobo, accountNumber: PAYER.account, accountName: PAYER.name },
      vendor: { vendorId: 'vnd_1', name: 'Vendor', number: vendor[name], bank: BANKS[name] },
    });
    const paid = await stage.payIn(name, naira);
    assert.equal((await last(name)).state, 'open', 'stored first');
    await stage.eventsOnly().run();
    const sourceId = { providus: paid.settlementId, paystack: `${paid.creditId}`, monnify: paid.reference }[
      name
    ];
    const [credit, ...others] = await only(name, sourceId);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [credit!.amount, credit!.account_number, credit!.state],
      [`${kobo}`, vendor[name], 'matched'],
    );
    assert.notEqual((await rig.find(buy.id)).state, 'awaiting_payment');
    assert.deepEqual((({ state, outcome }) => [state, outcome])(await last(name)), ['done', 'credit']);
    rig.pass(5_000);
    await stage.withPolls().run();
    assert.equal((await only(name, sourceId)).length, 1);
  });

test('the line that an event gives equals the line in the list of the rail', async () => {
  for (const name of ['paystack', 'monnify'] as const) {
    const paid = await stage.payIn(name, newAmount().naira);
    rig.pass(5_000);
    const { events, statement } = stage.railOf(name);
    const lines: CreditLine[] = [];
    for (let position: string | null = null; ; ) {
      const page = await statement!.read(position);
      if (page.lines.length === 0) break;
      lines.push(...(page.lines as CreditLine[]));
      position = page.position;
    }
    assert.deepEqual(await events.verify(paid.reference), { kind: 'credit', line: lines.at(-1) });
  }
});

test('after a lost event the credit is found in the list, and is added once', async () => {
  await stage.eventsOnly().run();
  for (const name of ['paystack', 'monnify'] as const) {
    banks.setFault({ kind: 'webhook-lost', rail: name });
    const known = [(await stage.events(name)).length, (await stage.credits(name)).length];
    await stage.payIn(name, newAmount().naira);
    await stage.eventsOnly().run();
    assert.deepEqual([(await stage.events(name)).length, (await stage.credits(name)).length], known);
    rig.pass(61_000);
    await stage.withPolls().run();
    assert.equal((await stage.credits(name)).length, known[1]! + 1);
  }
});

test('an event that arrives twice is one row and one credit; the bank gets an acknowledgement', async () => {
  const events = (await stage.events('providus')).length;
  banks.setFault({ kind: 'webhook-twice', rail: 'providus' });
  const { settlementId } = await stage.payIn('providus', newAmount().naira);
  assert.deepEqual(stage.said.slice(-2), ['providus-local stored', 'providus-local known']);
  await stage.eventsOnly().run();
  assert.equal((await stage.events('providus')).length, events + 1);
  assert.equal((await only('providus', settlementId)).length, 1);
  const replay = await stage.send('providus', {
    settlementId,
    sessionId: '1',
    transactionAmount: '99999999.00',
  });
  assert.deepEqual(replay.body, {
    ...{ requestSuccessful: true, sessionId: '1', responseMessage: 'success', responseCode: '00' },
  });
  await stage.eventsOnly().run();
  assert.equal((await only('providus', settlementId)).length, 1, 'other bytes about the same settlement');
});

test('threat 76: a forged event is refused, counted and stored nowhere', async () => {
  const text = JSON.stringify({ event: 'charge.success', data: { reference: 'x', amount: 1 } });
  const [before] = await rig.rows<{ count: string }>('select count(*) from rail_events');
  for (const name of NAMES) {
    const good = stage.headersOf(name, text);
    const [header, signature] = Object.entries(good)[0]!;
    const forgeries: readonly Record<string, string>[] = [
      {},
      { [header]: '' },
      { [header]: 'x'.repeat(128) },
      { [header]: signature.slice(1) },
      { [header]: (signature[0] === '0' ? '1' : '0') + signature.slice(1) },
    ];
    for (const headers of forgeries) {
      const { status } = await stage.send(name, text, headers);
      assert.equal(status, 401);
      assert.equal(stage.said.at(-1), `${name} forged`);
    }
  }
  for (const name of ['paystack', 'monnify'] as const)
    assert.equal(
      (await stage.send(name, `${text} `, stage.headersOf(name, text))).status,
      401,
      'one byte more',
    );
  assert.deepEqual(await rig.rows('select count(*) from rail_events'), [before]);
});

test('threat 76: if a valid event has another amount, account and payer than the rail, the response of the rail counts', async () => {
  const { kobo, naira } = newAmount();
  for (const name of NAMES) banks.setFault({ kind: 'webhook-lost', rail: name });
  const paid = {
    providus: await stage.payIn('providus', naira),
    paystack: await stage.payIn('paystack', naira),
    monnify: await stage.payIn('monnify', naira),
  };
  const { settlementId } = paid.providus;
  const lie = { amount: 900_000_000, amountPaid: 9_000_000, accountNumber: '0000000000' };
  await stage.send('providus', { ...lie, settlementId, transactionAmount: '9000000.00' });
  const data = { ...lie, reference: paid.paystack.reference, id: 4_711, status: 'success' };
  await stage.send('paystack', { event: 'charge.success', data });
  const { reference: transactionReference } = paid.monnify;
  const eventData = { ...lie, transactionReference, paymentStatus: 'PAID' };
  await stage.send('monnify', { eventType: 'SUCCESSFUL_TRANSACTION', eventData });
  await stage.eventsOnly().run();
  for (const [name, id] of [
    ['providus', settlementId],
    ['paystack', `${paid.paystack.creditId}`],
    ['monnify', transactionReference],
  ] as const) {
    const [credit] = await only(name, id);
    assert.deepEqual([credit?.amount, credit?.account_number], [`${kobo}`, vendor[name]]);
  }
});

test('threat 76: if the rail never has the transfer of an event, the rail is queried repeatedly, and then people review the event', async () => {
  await stage.send('paystack', { event: 'charge.success', data: { reference: 'never', amount: 5_000_000 } });
  const process = stage.eventsOnly();
  const before = (await stage.credits('paystack')).length;
  for (let look = 0; look < 29; look++) {
    await process.run();
    rig.pass(400_000);
  }
  assert.deepEqual((({ state, looks }) => [state, looks])(await last('paystack')), ['open', 29]);
  assert.deepEqual(process.troubles, []);
  await process.run();
  assert.equal((await last('paystack')).state, 'review');
  assert.equal((await stage.credits('paystack')).length, before);
  assert.deepEqual(
    process.troubles.map(({ message }) => message),
    ['a rail event names a record that the rail does not have'],
  );
  rig.pass(400_000);
  await process.run();
  assert.equal((await last('paystack')).looks, 30, 'it is over');
});

test('events of unknown types are stored and have no effect', async () => {
  const { status } = await stage.send('paystack', { event: 'subscription.create', data: { reference: 'x' } });
  assert.equal(status, 200);
  assert.deepEqual(await last('paystack'), {
    ...{ type: 'subscription.create', state: 'ignored', outcome: null, looks: 0 },
  });
  const answer = await stage.send('providus', { hello: '\0' });
  assert.deepEqual([answer.status, answer.body.responseCode], [200, '02']);
  assert.equal((await last('providus')).state, 'ignored');
  assert.equal((await stage.send('monnify', 'no json')).status, 200);
  assert.equal((await last('monnify')).state, 'ignored');
});
