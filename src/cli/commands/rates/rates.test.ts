// Tests the commands about rates: their text, their JSON, and the next command that they name for the second person.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS } from '../../../../test/http/store-fixtures.ts';
import { differenceToConsole } from '../../../../test/support/client/command-answers.ts';
import { CHECKER, MAKER } from '../../../../test/support/people/reviewers.ts';
import { openTestTerminal } from '../../../../test/support/people/terminal.ts';
import { openRateStage } from '../../../../test/support/rates/rate-stage.ts';
import { businessCommands } from '../businesses.ts';
import { reviewCommands } from '../reviews.ts';
import { rateCommands } from './rates.ts';

const stage = await openRateStage();
const COMMANDS = [...rateCommands, ...reviewCommands, ...businessCommands];
const LIVE = '--mode live --product otc_buy';

async function ask(line: string, actor = MAKER) {
  const words = line.split(' ');
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, n) => word === words[n]))!;
  const terminal = openTestTerminal({ ...stage.deps, database: stage.database }, actor);
  const json = await command.run(terminal, words.slice(command.name.split(' ').length));
  assert.equal(differenceToConsole(command.name, json), undefined);
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests check
  return { text: terminal.printed.join('\n'), json: json as any };
}
const run = async (line: string, actor = MAKER) => (await ask(line, actor)).text;
const idIn = (text: string) => /prp_\w+/.exec(text)![0];

test('threat 61: a usual price is set at once; a price far from the last value becomes a proposal with the reason and the next command', async () => {
  const { text, json } = await ask(`rates set USD=1400 eur=1600 ${LIVE} --valid-for 12h`);
  assert.equal(text, 'live otc_buy desk prices set, valid for 12h: USD 1400.0000, EUR 1600.0000.');
  assert.deepEqual(json, { done: true, proposal: null });
  await stage.decide();
  await assert.rejects(
    run(`rates set USD=1500 ${LIVE}`, 'os:ops'),
    /^CommandError: This needs two people: USD: 1500 is 7\.15 % from 1400, .* Sign in first/,
  );
  const far = await ask(`rates set USD=1500 ${LIVE} --override`);
  const id = idIn(far.text);
  assert.match(
    far.text,
    /per_ada proposes to set the live otc_buy desk prices of USD to 1500 naira for 24h, ignoring other sources\.\nThis needs two people: USD: 1500 is 7\.15 % from 1400, the last accepted value/,
  );
  assert.ok(far.text.includes(`\n  bin/sliproad reviews approve ${id}\n`));
  assert.deepEqual([far.json.done, far.json.proposal.id], [false, id]);
  assert.match(far.json.proposal.why, /the last accepted value/);
  assert.match(await run(`reviews list`), new RegExp(`${id} +live +set the live otc_buy desk prices`));
  assert.match(
    await run(`reviews approve ${id}`, CHECKER),
    /Approved and done: .*\n.*bin\/sliproad rates book$/,
  );
  await stage.decide();
  assert.match(await run(`rates book ${LIVE}`), /USD +1500\.0000 +100 +1515\.0000 /);
});

test('a wrong argument or option is refused before anything is changed', async () => {
  for (const [line, why] of [
    [`rates set USD=99999999999 ${LIVE}`, /USD: One USD must be between/],
    [`rates set USD=0.0001 ${LIVE} --spread 700`, /USD: One USD must be between/],
    [`rates set USD ${LIVE}`, /must have the form CODE=VALUE/],
    [`rates set JPY=1 ${LIVE}`, /JPY is not one of/],
    [`rates set USD=1400 USD=1401 ${LIVE}`, /USD appears twice/],
    [`rates set USD=1400 ${LIVE} --valid-for soon`, /--valid-for must be a duration/],
    [`rates set USD=1400 ${LIVE} --valid-for 0h`, /at most 31 days/],
    [`rates set USD=1400 ${LIVE} --spread 1%`, /--spread must be a whole number/],
    [`rates withdraw GBP ${LIVE}`, /no valid live otc_buy desk price of GBP/],
    [`rates spread set 9000 ${LIVE}`, /from 0 to 5000/],
    [`rates history ${LIVE} --currency USD --from 2026-13-01`, /--from must be a time/],
    [`rates history ${LIVE} --currency USD --from 2026-11-14 --to 2026-11-14`, /must be before/],
    [`rates history ${LIVE} --currency USD --interval 1m`, /more than 1500 points/],
  ] as const)
    await assert.rejects(run(line), why, line);
  assert.ok(!(await run('rates spread list')).includes('700'), 'a spread beside a refused price is not set');
});

test('the rate book shows each currency with its sources, and each rejected number with its reason', async () => {
  await stage.report('15000');
  await stage.decide();
  const { text, json } = await ask(`rates book ${LIVE}`);
  assert.match(
    text,
    /^live otc_buy, tier standard: rat_\w+ of 2026-\S+Z; priced from market, desk \(at least 1\)$/m,
  );
  assert.match(text, /^EUR +1600\.0000 +100 +1616\.0000 +2026-\S+Z +desk 1600\.0000 \(\d+s old\)$/m);
  assert.match(text, /^GBP +- +100 +- +- +not served: /m);
  assert.match(text, /^USD: rejected: market 15000\.0000 \(0s old\): out_of_bounds, /m);
  const [book] = json.books;
  const usd = book.currencies.find(({ currency }: { currency: string }) => currency === 'USD');
  assert.match(book.decision_id, /^rat_/);
  assert.deepEqual(
    [usd.value, usd.quoted],
    ['1500.0000', [{ tier: 'standard', spread_bps: 100, missing: null, rate: '1515.0000' }]],
  );
  assert.ok(usd.candidates.some(({ verdict }: { verdict: string }) => verdict !== 'used'));
  const all = await ask('rates book');
  assert.equal(all.json.books.length, 4, 'both products of both modes');
  assert.match(all.text, /test usdc_ngnc, tier standard: /);
});

test('sources are listed with their health, and the history is shown with a chart', async () => {
  const { text, json } = await ask('rates sources');
  assert.match(text, /market +stage +working +0s old +365d +closed/);
  assert.deepEqual(
    [json.sources[0].name, json.sources[0].state, json.sources[0].rates[0].value],
    ['market', 'working', '15000.0000'],
  );
  const atMs = stage.deps.clock.now();
  const failure = { code: 'unreachable', message: 'There was no answer within 1 s.' } as const;
  const at = { atMs, nextReadAtMs: atMs + 60_000, openUntilMs: atMs + 60_000 };
  await stage.deps.rateStore.saveFailure('market', failure, at);
  assert.match(
    await run('rates sources'),
    /market +stage +stopped .* open until 2026-\S+Z .* unreachable: There was no answer/,
  );
  const history = await ask(`rates history ${LIVE} --currency USD --interval 1h`);
  assert.match(
    history.text,
    /one point per 1h\n[▁▂▃▄▅▆▇█]+ {2}1500\.0000 to 1500\.0000\nAT +FIRST +LOW +HIGH +LAST\n/,
  );
  assert.deepEqual(
    [history.json.points.length, history.json.points[0].low, history.json.points[0].rate],
    [1, '1400.0000', '1500.0000'],
  );
  assert.match(await run(`rates history ${LIVE} --currency KES`), /No live otc_buy rate of KES is stored/);
});

test('a spread is set with the price or separately; a live spread needs two people, and an equal spread is not set again', async () => {
  assert.match(
    await run(`rates set USD=1500 ${LIVE} --spread 100`),
    /desk prices set, valid for .*\nThe spread is already 100 bps\.$/,
  );
  const both = await ask(`rates set USD=1501 ${LIVE} --spread 120`);
  assert.match(
    both.text,
    /desk prices set, valid for 24h.*\nprp_\w+: per_ada proposes to set the live otc_buy spread to 120 bps, for all/,
  );
  assert.deepEqual([both.json.done, both.json.spread.done], [true, false]);
  assert.match(await run(`reviews approve ${idIn(both.text)}`, CHECKER), /rates spread list$/);
  const narrow = `rates spread set 30 --mode test --product otc_buy --currency USD --tier gold`;
  assert.equal(await run(narrow, 'os:ops'), 'The test otc_buy spread is 30 bps, for USD, tier gold.');
  assert.match(await run('rates spread list --mode test'), /test +otc_buy +USD +gold +30 +2026-\S+Z +os:ops/);
  const tier = await run(`businesses tier set --business ${BUSINESS} --tier gold`);
  assert.match(tier, /proposes to put biz_fixture into the tier gold\./);
  assert.match(await run(`reviews approve ${idIn(tier)}`, CHECKER), /businesses list$/);
  assert.match(await run('businesses list'), /biz_fixture +\S+ +gold /);
});

test('one person can withdraw a desk price immediately', async () => {
  assert.equal(
    await run(`rates withdraw eur EUR ${LIVE}`, 'os:ops'),
    'live otc_buy: the desk prices of EUR are withdrawn.',
  );
  await stage.decide();
  assert.match(await run(`rates book ${LIVE}`), /^EUR .* not served: /m);
});
