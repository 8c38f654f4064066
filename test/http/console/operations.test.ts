// Tests the operator's pages in the console. One person previews and proposes, another person sees the same preview and
// approves, and the ledger gets the previewed postings. The test also covers the attention list, the search, cases, businesses,
// and the streams about changes.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { buy, CREDITS, creditBody, FAST, newCustomer } from '../../e2e/calls.ts';
import { settled } from '../../e2e/settled.ts';
import { startTestService } from '../../support/service.ts';
import { addConsolePerson, type Browser, giveCredentials, signedIn } from './browser.ts';

const service = await startTestService({
  ...FAST,
  TRUST_PROXY: 'loopback',
  PUBLIC_RATE_LIMIT_PER_SECOND: '100000',
});
const OPERATOR = '/console/v1/operator';
const payer = { ...newCustomer(), account_name: 'Adaeze Okafor', amount: 15_000 };
let claim: Awaited<ReturnType<typeof buy>>;
let creditId: string;
let queued: { readonly best_score: number; readonly candidates: number };

async function operator(role: 'admin' | 'reviewer' | 'approver' | 'auditor') {
  const person = await addConsolePerson(service, { operator: role });
  const credentials = await giveCredentials(service, person);
  return { person, credentials, browser: await signedIn(service, person) };
}

async function read(browser: Browser, path: string) {
  const answer = await browser.send('GET', `${OPERATOR}${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

before(async () => {
  claim = await buy(service, payer);
  const paid = { ...creditBody(claim), payer_name: 'Someone Else Entirely' };
  assert.equal((await service.post(CREDITS, paid)).status, 200);
  await settled(service, claim.transaction_id, { states: ['on_hold'] });
  const { browser } = await operator('auditor');
  const { kinds } = await read(browser, '/review-queue?mode=test');
  const credits = kinds.find(({ kind }: { kind: string }) => kind === 'credits');
  assert.deepEqual([credits.count, credits.amount], [1, '15000.00']);
  creditId = credits.records[0].id;
  queued = credits.records[0];
});

test('a credit in review is shown with its candidate, the score, the reasons as text and the compared fields', async () => {
  const { browser } = await operator('auditor');
  const { subject, candidates, actions } = await read(browser, `/reviews/${creditId}`);
  assert.deepEqual(
    [subject.kind, subject.amount, subject.exception],
    ['credit', '15000.00', 'name_mismatch'],
  );
  const [first] = candidates;
  assert.equal(first.transaction.id, claim.transaction_id);
  const { rows } = await service.foundation.database.query<{ score: number; reasons: string[] }>({
    text: `select (candidates -> 0 ->> 'score')::int as score, array(select jsonb_array_elements_text(candidates -> 0 -> 'reasons')) as reasons
      from match_decisions where credit_id = $1 order by version desc limit 1`,
    values: [creditId],
  });
  const codes = first.reasons.map(({ code }: { code: string }) => code);
  assert.deepEqual([first.score, codes], [rows[0]!.score, rows[0]!.reasons]);
  assert.deepEqual([queued.best_score, queued.candidates], [rows[0]!.score, 1]);
  const name = first.fields.find(({ field }: { field: string }) => field === 'name');
  assert.deepEqual([name.credit, name.agrees], ['Someone Else Entirely', false]);
  assert.deepEqual(
    actions.map(({ action, obstacle }: { action: string; obstacle: string | null }) => [action, obstacle]),
    ['match', 'split', 'refund', 'write_off'].map((action) => [action, null]),
  );
});

test('threat 83: one person previews and proposes, another sees the same preview and approves, and the ledger gets exactly those postings', async () => {
  const maker = await operator('reviewer');
  const checker = await operator('approver');
  const body = { action: 'match', subject_id: creditId, transaction_id: claim.transaction_id };
  const asked = await maker.browser.send('POST', `${OPERATOR}/reviews/preview`, { body });
  assert.equal(asked.status, 200, asked.text);
  const { preview } = asked.body;
  const before = await entriesOf(claim.transaction_id);
  const proposed = await maker.browser.send('POST', `${OPERATOR}/proposals/reviews`, { body });
  const { id } = proposed.body.proposal;
  const [onPage] = (await read(checker.browser, `/reviews/${creditId}`)).proposals;
  const { proposal } = await read(checker.browser, `/proposals/${id}`);
  assert.deepEqual(onPage.preview, preview);
  assert.deepEqual([proposal.preview, proposal.state, proposal.obstacle], [preview, 'open', null]);
  assert.match(proposal.what, /^match crd_/);

  const approve = `${OPERATOR}/proposals/${id}/approve`;
  const reason = { body: { reason: 'the customer confirmed it' } };
  assert.equal((await maker.browser.send('POST', approve, reason)).body.code, 'not_allowed');
  const factor = { kind: 'totp', code: checker.credentials.code() };
  await checker.browser.send('POST', '/console/v1/step-ups', { body: { subject_id: id, factor } });
  const done = await checker.browser.send('POST', approve, reason);
  assert.equal(done.status, 200, done.text);
  const posted = (await entriesOf(claim.transaction_id)).slice(before.length, before.length + 1);
  const shown = preview.entries.map(({ event, postings }: { event: string; postings: Posting[] }) => ({
    event,
    postings: postings.map(({ account, side, amount }) => `${account} ${side} ${amount}`).sort(),
  }));
  assert.deepEqual(shown, posted);
  assert.ok(preview.effects.some(({ text }: { text: string }) => text.includes('on hold to paid')));
  assert.equal((await read(checker.browser, `/proposals/${id}`)).proposal.state, 'approved');
  const again = await maker.browser.send('POST', `${OPERATOR}/reviews/preview`, { body });
  assert.deepEqual([again.status, again.body.code], [409, 'not_possible']);
});

interface Posting {
  readonly account: string;
  readonly side: string;
  readonly amount: string;
}

async function entriesOf(transactionId: string) {
  const entries = await service.foundation.ledgerAudit.explain(transactionId);
  return entries.map(({ event, postings }) => ({
    event,
    postings: postings
      .map(({ account, amountMinor }) => {
        const size = amountMinor < 0n ? -amountMinor : amountMinor;
        return `${account} ${amountMinor > 0n ? 'debit' : 'credit'} ${size / 100n}.00`;
      })
      .sort(),
  }));
}

test('a vendor that was removed from the list because it no longer receives credits needs attention', async () => {
  const { database, backOffice } = service.foundation;
  const vendor = (await backOffice.listVendors()).find(({ mode }) => mode === 'test')!;
  await database.query({
    text: `insert into vendor_silences (vendor_id, mode, last_credit_at, claims, businesses, taken_off, at)
      values ($1, 'test', now() - interval '2 days', 7, 2, true, now())`,
    values: [vendor.id],
  });
  const { browser } = await operator('auditor');
  const { attention } = await read(browser, '/attention?mode=test');
  const line = attention.find(({ kind }: { kind: string }) => kind === 'silent_vendor');
  assert.deepEqual([line?.severity, line?.page], ['warning', 'vendors']);
  assert.equal(
    line.title,
    `The account of ${vendor.name} stopped receiving credits and was taken off the list`,
  );
});

test('items that need attention are listed by severity, and a person’s own proposal is listed as waiting for others', async () => {
  const maker = await operator('admin');
  const pause = { body: { reason: 'a drill' } };
  await maker.browser.send('POST', `${OPERATOR}/movements/pause`, pause);
  const resume = await maker.browser.send('POST', `${OPERATOR}/settings/movements/resume`, pause);
  const { attention } = await read(maker.browser, '/attention?mode=live');
  const kinds = attention.map(({ kind }: { kind: string }) => kind);
  assert.deepEqual(kinds.slice(0, 2).sort(), ['pause', 'vendors']);
  assert.ok(kinds.includes('own_proposals'));
  const severities = attention.map(({ severity }: { severity: string }) => severity);
  const order = ['critical', 'warning', 'notice'];
  assert.deepEqual(
    severities,
    severities.toSorted((a: string, b: string) => order.indexOf(a) - order.indexOf(b)),
  );
  const { browser } = await operator('approver');
  const theirs = (await read(browser, '/attention?mode=live')).attention;
  assert.ok(
    theirs.some(({ kind, count }: { kind: string; count: number }) => kind === 'proposals' && count === 1),
  );
  const withdraw = `${OPERATOR}/proposals/${resume.body.proposal.id}/withdraw`;
  await maker.browser.send('POST', withdraw, pause);
});

test('one person can freeze a business, the list shows the freeze, and lifting it is a separate action', async () => {
  const { browser } = await operator('admin');
  const other = await service.addBusiness('frozen');
  const body = { business_id: other.businessId, mode: 'test', reason: 'they asked' };
  assert.equal((await browser.send('POST', `${OPERATOR}/settings/freezes`, { body })).body.done, true);
  const { businesses } = await read(browser, '/businesses?mode=test&limit=1');
  assert.deepEqual(
    [businesses[0].business_id, businesses[0].frozen.reason],
    [other.businessId, 'they asked'],
  );
  const one = await read(browser, `/businesses/${service.business.businessId}?mode=test`);
  assert.deepEqual([one.business.frozen, one.business.volume.count > 0], [null, true]);
  const lifted = await browser.send('POST', `${OPERATOR}/settings/freezes/lift`, { body });
  assert.equal(lifted.body.done, true, lifted.text);
});

test('threat 85: open pages get a hint about a change, without any data', async () => {
  const { browser } = await operator('auditor');
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${service.baseUrl}${OPERATOR}/stream`, { headers: { cookie } });
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (wanted: RegExp) => {
    while (!wanted.test(text)) text += (await reader.read()).value ?? assert.fail(`ended: ${text}`);
  };
  await until(/connected/);
  // The test keeps buying, because the stream has no earlier state to compare with before its first poll.
  const bought: Promise<unknown>[] = [];
  const buying = setInterval(() => bought.push(buy(service, newCustomer())), 300);
  await until(/event: changed\ndata: \{"subjects":\[[^\]]*"transactions"/);
  clearInterval(buying);
  await Promise.all(bought);
  assert.doesNotMatch(text, /txn_|biz_/);
  await reader.cancel();
});
