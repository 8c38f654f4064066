// Tests what happens to rail events, step by step. Rails in test mode use local banks that send their webhooks to the real
// route. The clock is controlled, and the store is real.
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { type LocalBanks, startLocalBanks } from '../../../local-banks/start.ts';
import { loadBankDirectory } from '../../../src/adapters/catalogue/bank-directory.ts';
import { makeEventQueue } from '../../../src/adapters/postgres/rails/event-queue.ts';
import { makeBanks, RAIL_KINDS } from '../../../src/adapters/rails/registry.ts';
import { readBanksFile } from '../../../src/adapters/rails/settings/banks-file.ts';
import { makeSystemEntropy } from '../../../src/adapters/system.ts';
import type { ReceiveRailEventDeps } from '../../../src/app/rails/receive-rail-event.ts';
import { addRailEventRoutes } from '../../../src/http/routes/rail-events.ts';
import type { EventSendingRail } from '../../../src/ports/rails/rail.ts';
import { openRig, PAYER } from '../settlement.ts';
import { afterFile } from '../sharing/file-group.ts';

export type LocalRail = 'providus' | 'paystack' | 'monnify';
const PAYER_AT_BANK = { accountNumber: PAYER.account, name: 'ADAEZE OKAFOR', bankCode: '058' };

export async function openEventStage() {
  const rig = await openRig();
  const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-events-'));
  const banks = await startLocalBanks({ dir, now: rig.now });
  // The bank with NIP transfers has a separate account for customers, in addition to the payout account.
  const vendor = { providus: '9912345678', paystack: banks.paystack.account.number, monnify: '' };
  vendor.monnify = banks.monnify.account.number;
  banks.setAccount({ rail: 'providus', number: vendor.providus, bankCode: '101', name: 'SLIPROAD VENDOR' });
  const rails = openRails(dir, banks, rig.now);
  const queue = makeEventQueue(rig.database);
  const said: string[] = [];
  const deps: ReceiveRailEventDeps = {
    ...{ banks: makeBanks({ live: [], test: rails }), railEvents: queue, clock: { now: rig.now } },
    ...{ entropy: makeSystemEntropy(), digest: (bytes) => createHash('sha256').update(bytes).digest('hex') },
    onReceived: ({ rail }, taken) => said.push(`${rail} ${taken}`),
    onForged: ({ place }) => said.push(`${place} forged`),
  };
  const app = Fastify();
  addRailEventRoutes(app, { ...deps, publicly: (_request, _reply, done) => done() });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  afterFile(async () => {
    await banks.close();
    await app.close();
    rmSync(dir, { recursive: true });
  });
  for (const rail of ['providus', 'paystack', 'monnify'] as const)
    banks.setWebhooks({ rail, url: `${url}/rails/${rail}-local/events` });
  const railOf = (name: LocalRail) => rails.find((rail) => rail.name === `${name}-local`)!;
  const headersOf = (name: LocalRail, text: string) => proofOf(banks, name, text);
  return {
    ...{ rig, banks, rails, queue, deps, said, vendor, railOf, url },
    send: async (name: LocalRail, event: unknown, headers?: Record<string, string>) => {
      const text = typeof event === 'string' ? event : JSON.stringify(event);
      // Events are sorted by time, so each event needs a different time.
      rig.pass(1);
      const answer = await fetch(`${url}/rails/${name}/events`, {
        ...{ method: 'POST', body: text },
        headers: { 'content-type': 'application/json', ...(headers ?? headersOf(name, text)) },
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    headersOf,
    /** Opens a process with these rails but without polls, so that only events have an effect. */
    eventsOnly: (...changed: readonly EventSendingRail[]) =>
      rig.another({
        rails: () => (changed.length > 0 ? changed : rails).map((rail) => ({ ...rail, statement: null })),
      }),
    withPolls: () => rig.another({ rails: () => rails }),
    payIn: (name: LocalRail, amount: string) => {
      rig.pass(1);
      return banks.payIn({
        ...{ rail: name, accountNumber: vendor[name], amount, narration: 'a buy', payer: PAYER_AT_BANK },
      });
    },
    credits: (source: string) =>
      rig.rows<{ source_id: string; amount: string; account_number: string; state: string }>(
        `select source_id, amount_minor::text as amount, account_number, state from bank_credits
         where source = $1 order by id`,
        `${source}-local`,
      ),
    events: (name: string) =>
      rig.rows<{ type: string; state: string; outcome: string | null; looks: number }>(
        'select type, state, outcome, looks from rail_events where rail = $1 order by received_at, id',
        `${name}-local`,
      ),
  };
}

function proofOf(banks: LocalBanks, name: LocalRail, text: string): Record<string, string> {
  const hmac = (key: string) => createHmac('sha512', key).update(text).digest('hex');
  const { clientId, clientSecret } = banks.providus.credentials;
  switch (name) {
    case 'paystack':
      return { 'x-paystack-signature': hmac(banks.paystack.credentials.secretKey) };
    case 'monnify':
      return { 'monnify-signature': hmac(banks.monnify.credentials.secretKey) };
    case 'providus':
      return {
        'x-auth-signature': createHash('sha512').update(`${clientId}:${clientSecret}`).digest('hex'),
      };
  }
}

function openRails(dir: string, banks: LocalBanks, now: () => number): readonly EventSendingRail[] {
  const location = path.join(dir, 'test-banks.json');
  writeFileSync(
    location,
    JSON.stringify({ rails: banks.rails.map((row) => ({ ...row, mode: 'test' })), control: banks.control }),
  );
  const directory = loadBankDirectory();
  const settings = readBanksFile({ location, variables: () => undefined, kinds: RAIL_KINDS, directory });
  return settings.map((each) => each.open({ directory, clock: { now } })) as EventSendingRail[];
}
