// Tests the timeline of a transaction as its business sees it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../http/helpers.ts';
import { startTestService } from '../support/service.ts';
import { buy, FAST, newCustomer, pay, rows, sell, timelineOf } from './calls.ts';
import { type Shown, settled } from './settled.ts';

const service = await startTestService(FAST);
const other = await service.addBusiness('nosy');

test('the acceptance is the first line, and every line continues from the state of the previous one', async () => {
  const order = await buy(service, newCustomer());
  const id = order.transaction_id;
  const [accepted, ...none] = await timelineOf(service, id);
  assert.deepEqual(
    [none, accepted!.from, accepted!.to, accepted!.reason],
    [[], null, 'awaiting_payment', 'accepted'],
  );
  assert.match(accepted!.actor, /^key_/);
  assert.equal(accepted!.at, order.created_at);
  await pay(service, order);
  await settled(service, id, { states: ['completed'] });
  const lines = await timelineOf(service, id);
  assert.deepEqual(lines[0], accepted);
  for (const [index, line] of lines.entries()) {
    if (index > 0) assert.equal(line.from, lines[index - 1]!.to);
    if (index > 0) assert.ok(line.at >= lines[index - 1]!.at);
    assert.deepEqual(Object.keys(line).sort(), [
      ...['actor', 'at', 'evidence', 'from', 'message', 'reason', 'to'],
    ]);
  }
  assert.deepEqual(
    lines.map(({ to }) => to),
    ['awaiting_payment', 'paid', 'sending', 'confirming', 'completed'],
  );
});

test('each line contains its evidence: the bank credit, the movement or the hash', async () => {
  const order = await buy(service, newCustomer());
  await pay(service, order);
  const done = await settled(service, order.transaction_id, { states: ['completed'] });
  const lines = await timelineOf(service, order.transaction_id);
  const by = (to: string) => lines.find((line) => line.to === to)!;
  assert.match(by('paid').evidence.bank_credit, /^crd_/);
  assert.deepEqual(Object.keys(by('paid').evidence), ['bank_credit'], 'not its name at the bank');
  assert.match(by('sending').evidence.movement, /^mov_/);
  for (const to of ['confirming', 'completed']) assert.equal(by(to).evidence.tx_hash, done.tx_hash);
  assert.deepEqual(
    [by('paid').actor, by('sending').actor, by('completed').actor],
    ['matching', 'settlement', 'network'],
  );
});

test('a sell shows its deposit and the reference of its payout', async () => {
  const order = await sell(service, {}, { headers: { 'svc-scenario': 'paid' } });
  await settled(service, order.transaction_id, { states: ['completed'] });
  const lines = await timelineOf(service, order.transaction_id);
  assert.deepEqual(
    lines.map(({ to }) => to),
    ['awaiting_deposit', 'confirming', 'deposited', 'paying_out', 'completed'],
  );
  assert.match(lines[2]!.evidence.deposit, /^dep_/);
  assert.deepEqual(Object.keys(lines[2]!.evidence).sort(), ['deposit', 'network', 'tx_hash']);
  assert.equal(lines[3]!.evidence.reference, lines[3]!.evidence.movement.replace('_', '-'));
});

test('threat 45: the timeline shows the steps of a send that was reorganised, and the buy completes', async () => {
  const order = await buy(service, newCustomer(), { headers: { 'svc-scenario': 'send_reorganised' } });
  await settled(service, order.transaction_id, { states: ['completed'] });
  const states = (await timelineOf(service, order.transaction_id)).map(({ to }) => to);
  assert.deepEqual(states.slice(0, 4), ['awaiting_payment', 'paid', 'sending', 'confirming']);
  assert.equal(states.at(-1), 'completed');
});

test('threat 68: another business’s timeline, an unknown one, and a request with a live key all get 404', async () => {
  const { transaction_id: id } = await buy(service, newCustomer());
  const path = `/transactions/v1/${id}/timeline`;
  assertRefused(await service.get(path, { key: other.testKey }), 404, 'transaction_not_found');
  assertRefused(await service.get(path, { key: service.business.liveKey }), 404, 'transaction_not_found');
  assertRefused(
    await service.get('/transactions/v1/txn_00000000000000000000000000/timeline'),
    404,
    'transaction_not_found',
  );
  assertRefused(await service.get(path, { key: null }), 401, 'unauthorized');
});

test('threat 85: the business does not see which operator acted', async () => {
  const { transaction_id: id } = await buy(service, newCustomer());
  await service.foundation.database.query({
    text: `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, business_id, mode)
      select id, 2, now(), 'awaiting_payment', 'on_hold', 'ngozi@operator.example', 'looked at', business_id, mode
      from transactions where id = $1`,
    values: [id],
  });
  const answer = await service.get(`/transactions/v1/${id}/timeline`);
  const { actor, reason, message } = answer.body.timeline.at(-1);
  assert.deepEqual(
    [actor, reason, message],
    ['operator', 'under_review', 'The operator is reviewing the transaction.'],
  );
  assert.doesNotMatch(answer.text, /ngozi|looked at/);
});

test('threat 85: the business does not see evidence that names people, lists or other businesses', async () => {
  const { transaction_id: id } = await buy(service, newCustomer());
  const secret = {
    proposal: 'prp_1',
    proposed_by: 'ngozi',
    hits: [{ value: 'ngozi', reason: 'listed' }],
    source: 'ngozi',
    source_id: `${other.businessId}/crd_ngozi`,
    bank_says: 'NGOZI OWNER',
  };
  const own = {
    bank_credit: 'crd_1',
    deposit: 'dep_1',
    network: 'Polygon',
    tx_hash: '0x1',
    movement: 'mov_1',
    reference: 'mov-1',
    attempt: 2,
    case: 'cas_1',
  };
  for (const [version, evidence] of [{ ...secret, ...own }, secret].entries()) {
    await service.foundation.database.query({
      text: `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, evidence,
          business_id, mode)
        select id, $2, now(), 'awaiting_payment', 'awaiting_payment', 'settlement', 'looked at', $3, business_id, mode
        from transactions where id = $1`,
      values: [id, version + 2, JSON.stringify(evidence)],
    });
  }
  const answer = await service.get(`/transactions/v1/${id}/timeline`);
  const shown = answer.body.timeline.slice(1).map((line: Shown) => line.evidence);
  assert.deepEqual(shown, [own, null]);
  assert.doesNotMatch(answer.text, /ngozi|biz_/i);
});

test('threat 85: only operators see the account name that the bank returned', async () => {
  const scenario = { 'svc-scenario': 'payout_name_mismatch' };
  const { transaction_id: id } = await sell(service, {}, { headers: scenario });
  await settled(service, id, { states: ['on_hold'] });
  assert.equal((await timelineOf(service, id)).at(-1)!.evidence, null);
  const [kept] = await rows<{ evidence: Shown }>(
    service,
    `select evidence from timeline where transaction_id = $1 and to_state = 'on_hold'`,
    id,
  );
  assert.ok(kept!.evidence.bank_says);
});
