// Tests `listen` with a network that fails, an unreachable target, and a restart. Every event reaches the target once, in the
// order of its transaction, and the terminal reports a lost connection.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sliproad, type SliproadEvent, type Transaction } from '../../sdk/src/index.ts';
import { listenCommand } from '../../src/cli/commands/client/listen.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/client/faulty-proxy.ts';
import { startReceiver } from '../support/client/receiver.ts';
import { type ClientTerminal, openClientTerminal } from '../support/client/terminal.ts';
import { until } from '../support/patience.ts';
import { startTestService } from '../support/service.ts';

/** A paid buy has five events. */
const EVENTS = Number(process.env.LISTEN_EVENTS ?? 200);
const CUTS = Number(process.env.LISTEN_CUTS ?? 4);
const BUYS = Math.ceil(EVENTS / 5);
const NOTICED_WITHIN_SECONDS = 3;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const generous = { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' };
const service = await startTestService({ SANDBOX_PACE_MS: '50', ...generous });
const home = mkdtempSync(path.join(tmpdir(), 'sliproad-listen-'));
after(() => rmSync(home, { recursive: true }));
const secretFile = path.join(home, 'secret');
writeFileSync(secretFile, `${SECRET}\n`);

const { businessId, linkTag, testKey: secretKey } = service.business;
const client = new Sliproad({ secretKey, baseUrl: service.baseUrl, businessId, linkTag });
const [vendor] = await client.vendors();
const buy = () =>
  client.buy(
    {
      ...{ amount: 15000, vendor: vendor!, account_number: '0123456785', bank_name: 'GTBank' },
      ...{ network: 'Polygon', wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
    },
    { scenario: 'paid' },
  );

function listen(terminal: ClientTerminal, url: string) {
  const options = ['--forward-to', url, '--secret-file', secretFile];
  const running = listenCommand.run(terminal, options);
  return {
    connected: () =>
      until('it is connected', () => terminal.notes.some(({ line }) => /^Connected/.test(line))),
    stop: async () => {
      terminal.interrupt();
      await running;
    },
  };
}

const transactionIdOf = ({ data }: SliproadEvent) =>
  (data as { transaction?: Transaction }).transaction?.transaction_id ?? '';

async function eventsOf(ids: ReadonlySet<string>): Promise<SliproadEvent[]> {
  const all: SliproadEvent[] = [];
  for await (const event of client.events.list({ limit: 100 }))
    if (ids.has(transactionIdOf(event))) all.push(event);
  return all;
}

function assertWhole(received: readonly SliproadEvent[], expected: readonly SliproadEvent[]): void {
  assert.deepEqual(received.map(({ id }) => id).sort(), expected.map(({ id }) => id).sort());
  const last = new Map<string, number>();
  for (const event of received) {
    const id = transactionIdOf(event);
    assert.equal(event.sequence, (last.get(id) ?? 0) + 1, event.id);
    last.set(id, event.sequence);
  }
  const byId = new Map(expected.map((event) => [event.id, event]));
  for (const event of received) assert.deepEqual(event, byId.get(event.id));
}

/** Breaks the connection, alternately with an error and silently. Returns what the terminal printed about the break. */
async function breakOnce(proxy: FaultyProxy, terminal: ClientTerminal, round: number): Promise<string> {
  // On a machine that stalled, the terminal may already have printed a line about the break.
  const said = () => terminal.notes.findLast(({ line }) => /^(Disc|C|Rec)onnected/.test(line))?.line ?? '';
  if (round % 2 === 0) proxy.cut();
  else proxy.freeze();
  await until('it says that it is disconnected', () => said().startsWith('Disconnected'));
  const disconnected = said();
  proxy.fix();
  await until('it is connected again', () => said().startsWith('Reconnected'));
  return disconnected;
}

/**
 * The command reports a break with an error as an error of the connection. For a silent break, it prints how long the
 * connection was silent.
 */
function assertNoticedSoon(said: string, round: number): void {
  const [, waited, unit] = /([\d.]+) (seconds|ms)/.exec(said) ?? [];
  const seconds = Number(waited ?? 0) / (unit === 'ms' ? 1_000 : 1);
  assert.ok(seconds <= NOTICED_WITHIN_SECONDS, `break ${round}: ${said}`);
}

test(`${CUTS} connection breaks in ${BUYS * 5} events: each event is forwarded once, in order, and each break is reported`, async () => {
  const proxy = await startFaultyProxy(service.baseUrl);
  const receiver = await startReceiver(SECRET);
  const terminal = openClientTerminal(path.join(home, 'breaks'), { ...service, baseUrl: proxy.baseUrl });
  const listening = listen(terminal, receiver.url);
  await listening.connected();
  const ids = new Set<string>();
  let breaking = true;
  const buying = (async () => {
    for (let made = 0; made < BUYS; made++) {
      ids.add((await buy()).transaction_id);
      // The last buys wait, so that the buys are spread over all breaks.
      while (breaking && made >= BUYS - 2) await sleep(50);
    }
  })();
  for (let round = 0; round < CUTS; round++) {
    assertNoticedSoon(await breakOnce(proxy, terminal, round), round);
  }
  breaking = false;
  await buying;
  const done = () => receiver.events.filter(({ type }) => type === 'transaction.completed').length;
  await until('every buy is completed at the target', () => done() >= ids.size);
  assertWhole(receiver.events, await eventsOf(ids));
  await listening.stop();
  await receiver.close();
  await proxy.close();
});

test('an unreachable target gets every event once it is reachable, and after a restart no event is repeated or lost', async () => {
  const receiver = await startReceiver(SECRET);
  const { url } = receiver;
  const dataDir = path.join(home, 'restart');
  const first = openClientTerminal(dataDir, service);
  const listening = listen(first, url);
  await listening.connected();
  const before = await buy();
  const atTarget = (id: string, where: readonly SliproadEvent[]) =>
    where.some((event) => transactionIdOf(event) === id && event.type === 'transaction.completed');
  await until('the first buy is at the target', () => atTarget(before.transaction_id, receiver.events));
  await receiver.close();
  const during = await buy();
  await until('the terminal says so', () =>
    first.notes.some(({ line }) => /^The target is unreachable/.test(line)),
  );
  await listening.stop();
  const whileStopped = await buy();

  const again = await startReceiver(SECRET, Number(new URL(url).port));
  const second = openClientTerminal(dataDir, service);
  const restarted = listen(second, url);
  for (const { transaction_id } of [during, whileStopped])
    await until('the buy is at the target', () => atTarget(transaction_id, again.events));
  const ids = new Set([before, during, whileStopped].map(({ transaction_id }) => transaction_id));
  assertWhole([...receiver.events, ...again.events], await eventsOf(ids));
  await restarted.stop();
  await again.close();
});

test('an event that the target refuses is retried and delays only events of its own transaction', async () => {
  const receiver = await startReceiver(SECRET);
  const terminal = openClientTerminal(path.join(home, 'refused'), service, { json: true });
  const listening = listen(terminal, receiver.url);
  await listening.connected();
  let firstId: string | undefined;
  receiver.answerWith((event) => {
    // Events of earlier transactions may still arrive.
    if (event.sequence === 1) firstId ??= transactionIdOf(event);
    return transactionIdOf(event) === firstId && event.sequence === 1 ? 500 : 200;
  });
  const bad = await buy();
  const good = await buy();
  const has = (id: string, type: string) =>
    receiver.events.some((event) => transactionIdOf(event) === id && event.type === type);
  await until('the other one is forwarded', () => has(good.transaction_id, 'transaction.completed'));
  assert.ok(
    !receiver.events.some((event) => transactionIdOf(event) === bad.transaction_id && event.sequence > 1),
  );
  receiver.answerWith(undefined);
  await until('the refused one goes on', () => has(bad.transaction_id, 'transaction.completed'));
  const [listeningLine] = terminal.emitted;
  assert.equal(listeningLine.type, 'listening');
  const attempts = terminal.emitted.filter(({ event_id }) => event_id?.includes(bad.transaction_id.slice(4)));
  assert.deepEqual([attempts[0].type, attempts[0].status, attempts[0].attempt], ['refused', 500, 1]);
  await listening.stop();
  await receiver.close();
});

test('an unknown position is refused, and the message says how to fix it', async () => {
  const terminal = openClientTerminal(path.join(home, 'unknown'), service);
  const positionFile = path.join(home, 'unknown', 'position.json');
  writeFileSync(positionFile, JSON.stringify({ after: `evt_${'0'.repeat(26)}_9`, finished: [] }));
  await assert.rejects(
    listenCommand.run(terminal, ['--forward-to', '127.0.0.1:1', '--position-file', positionFile]),
    /does not know the position in .*position\.json\. To start with the next event: --since now/,
  );
});
