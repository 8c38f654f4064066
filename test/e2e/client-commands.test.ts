// Tests the client commands with a complete service. It covers a buy and a sell by hand, scenarios, events, search and export.
// It also tests the output and exit code of each command when something is wrong.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { type Command, STREAMED_ANSWER } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { CommandError } from '../../src/cli/terminal/command-error.ts';
import { openClientTerminal } from '../support/client/terminal.ts';
import { until } from '../support/patience.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService({ SANDBOX_PACE_MS: '50' });
const home = mkdtempSync(path.join(tmpdir(), 'sliproad-client-'));
after(() => rmSync(home, { recursive: true }));

const open = (json = false) => openClientTerminal(path.join(home, 'data'), service, { json });
const find = (name: string): Command => COMMANDS.find((each) => each.name === name)!;

async function run(line: string, terminal = open()) {
  const words = line.split(' ');
  const command = COMMANDS.filter(({ name }) => `${line} `.startsWith(`${name} `)).at(-1)!;
  const answer = await command.run(terminal, words.slice(command.name.split(' ').length));
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  return { answer: answer as any, terminal, text: terminal.printed.join('\n') };
}

async function failure(line: string): Promise<CommandError> {
  const error = await run(line).then(
    () => assert.fail(`${line} did not fail`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof CommandError, String(error));
  return error;
}

test('a buy with only an amount is created and paid, and its timeline is followed to the end', async () => {
  const bought = await run('buy 15000.50');
  assert.equal(bought.answer.amount, 15000.5);
  assert.match(bought.text, /₦15,000\.50[\s\S]*The customer pays ₦15,000\.50 to Sandbox Vendor One/);
  assert.match(bought.terminal.notes[0]!.line, /^Service http:\/\/127\.0\.0\.1:\d+, test mode/);
  const id = bought.answer.transaction_id;
  const paid = await run(`pay ${id}`);
  assert.match(paid.text, /₦15,000\.50 arrived at the bank \(crd_/);
  const watched = await run(`status ${id} --watch --timeout 60s`);
  assert.equal(watched.answer, STREAMED_ANSWER);
  assert.match(watched.text, /transaction\.accepted[\s\S]*transaction\.completed[\s\S]*is completed\.$/);
  assert.equal((await run(`status ${id}`)).answer.state, 'completed');
  const again = await run(`pay ${id} --amount 100`);
  assert.match(again.terminal.notes[1]!.line, /is already completed: this is an additional payment/);
});

test('a quote in dollars is created, and one buy uses it once', async () => {
  const { answer: quote, text } = await run('quote --side buy --amount 100 --currency USD --network Polygon');
  assert.match(text, /100 USD[\s\S]*To use it: bin\/sliproad buy [0-9.]+ --quote quo_/);
  const line = text.slice(text.indexOf('bin/sliproad ') + 'bin/sliproad '.length);
  const bought = await run(line);
  assert.equal(bought.answer.quote_id, quote.quote_id);
  assert.match(bought.text, new RegExp(quote.quote_id));
  const again = await failure(`${line} --account 0987654321`);
  assert.equal(again.exit, 'conflict');
  assert.match(again.message, new RegExp(bought.answer.transaction_id));
});

test('a sell on each network gets its tokens, and its timeline is printed as JSON lines', async () => {
  for (const network of ['Stellar', 'Solana', 'Avalanche']) await run(`buy 15000 --network ${network}`);
  const sold = await run('sell 20000 --network polygon --reference sale-1');
  assert.match(sold.text, /Send [0-9.]+ NGNC on Polygon to 0x/);
  const id = sold.answer.transaction_id;
  await run(`pay ${id}`);
  const { terminal } = await run(`status ${id} --watch --timeout 60s`, open(true));
  assert.deepEqual(terminal.printed, []);
  assert.deepEqual([terminal.emitted[0].type, terminal.emitted[0].sequence], ['transaction.accepted', 1]);
  assert.deepEqual(terminal.emitted.at(-1), {
    transaction_id: id,
    state: 'completed',
    exception: null,
    ended: true,
  });
});

test('the exit code of status --watch shows the outcome, or that there is no outcome yet', async () => {
  const { answer } = await run('buy 15000');
  const still = await failure(`status ${answer.transaction_id} --watch --timeout 1s`);
  assert.deepEqual([still.exit, (still.answer as { state: string }).state], ['failed', 'awaiting_payment']);
  await service.post(`/transactions/v1/${answer.transaction_id}/cancel`, undefined);
  const cancelled = await failure(`status ${answer.transaction_id} --watch`);
  assert.deepEqual(
    [cancelled.exit, cancelled.message.slice(0, 26)],
    ['conflict', 'The buy ended as cancelled'],
  );
});

test('the trigger command runs a scenario to its end and prints the outcome', async () => {
  const over = await run('trigger overpaid', open(true));
  assert.equal(over.terminal.emitted.at(-1).as_expected, true);
  assert.ok(over.terminal.emitted.some(({ type }) => type === 'refund.completed'));
  const late = await run('trigger deposit_late');
  assert.match(
    late.text,
    /transaction\.refunded[\s\S]*Ended as refunded, paid_late, ₦15,000\.00 refunded\.$/,
  );
  assert.equal((await run('trigger --list')).answer.length, 20);
  assert.equal((await failure('trigger nothing')).exit, 'usage');
});

test('events tail starts after an event or at a time, and follows new events', async (t) => {
  const { answer } = await run('trigger paid', open(true)).then(() =>
    run('transactions search --limit 1', open(true)),
  );
  const id = answer[0].transaction_id;
  const terminal = open(true);
  t.after(() => terminal.interrupt());
  const tailing = find('events tail').run(terminal, [
    '--type',
    'transaction.completed',
    '--since',
    '2026-01-01',
  ]);
  const has = (wanted: string) =>
    terminal.emitted.some(({ data }) => data.transaction.transaction_id === wanted);
  await until('the past is shown', () => has(id));
  const next = await run('buy 15000 --scenario paid');
  await until('the next one is shown', () => has(next.answer.transaction_id));
  assert.ok(terminal.emitted.every(({ type }) => type === 'transaction.completed'));
  const ids = terminal.emitted.map((event) => event.id);
  assert.equal(new Set(ids).size, ids.length);
  terminal.interrupt();
  assert.equal(await tailing, STREAMED_ANSWER);
  assert.equal((await failure('events tail --since yesterday')).exit, 'usage');
});

test('transactions are found by id, by a part of a reference, and by filters', async () => {
  // No hash or id contains the letters `uool`.
  const { answer } = await run('buy 15000 --reference order-uool');
  for (const line of [answer.transaction_id, 'uool', '--reference order-uool'])
    assert.deepEqual(
      (await run(`transactions search ${line}`)).answer.map((each: { reference: string }) => each.reference),
      ['order-uool'],
      line,
    );
  assert.match(
    (await run('transactions search --state awaiting_payment')).text,
    /₦15,000\.00 +awaiting_payment/,
  );
  assert.equal((await failure('transactions search no-such-reference')).exit, 'not_found');
  assert.equal((await failure('transactions search --type rent')).exit, 'usage');
});

test('threat 79: an export contains every page, the file appears only when it is complete, and a spreadsheet executes nothing in it', async () => {
  for (let count = 0; count < 101; count++) await service.post('/transactions/v1/onramp', hostile(count));
  const file = path.join(home, 'all.csv');
  const { answer } = await run(`transactions export --format csv --output ${file}`, open(true));
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.equal(answer.transactions, lines.length - 1);
  assert.ok(lines.length > 102);
  assert.ok(lines.some((line) => line.includes(`"'=HYPERLINK(""x"")"`) || line.includes(`'-Okafor`)));
  assert.deepEqual(
    readdirSync(home).filter((name) => name.includes('partial')),
    [],
  );
  const { terminal } = await run('transactions export --format jsonl --type sell');
  assert.ok(terminal.printed.every((line) => JSON.parse(line).type === 'Sell'));
  assert.match(
    (await failure(`transactions export --format csv --output ${home}/no/such.csv`)).message,
    /--output/,
  );
});

function hostile(count: number) {
  const { businessId: business_id, linkTag: link_tag } = service.business;
  return {
    ...{
      business_id,
      link_tag,
      type: 'buy_ramp',
      amount: 15000,
      account_name: '-Okafor',
      reference: `row-${count}`,
    },
    ...{ vendor_name: 'Sandbox Vendor One', vendor_bank: 'Providus Bank', vendor_number: '9900000011' },
    ...{ bank_name: 'GTBank', account_number: '0123456785' },
  };
}

test('an error of the service gives its own exit code and shows the request id', async () => {
  const low = await failure('buy 5');
  assert.equal(low.exit, 'usage');
  assert.match(low.message, /below the minimum[\s\S]*request req_/);
  assert.equal((await failure('status txn_01k00000000000000000000000')).exit, 'not_found');
  await run('buy 15000 --reference same');
  assert.equal((await failure('buy 16000 --reference same')).exit, 'conflict');
  assert.equal((await failure('buy 15000 --base-url http://127.0.0.1:1')).exit, 'unreachable');
  assert.equal((await failure('buy fifteen')).exit, 'usage');
});
