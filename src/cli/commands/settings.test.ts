// Tests the commands that change settings. A change takes effect at once if one person is enough. Otherwise the command makes a
// proposal and names the next command.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { BUSINESS } from '../../../test/http/store-fixtures.ts';
import { differenceToConsole } from '../../../test/support/client/command-answers.ts';
import { CHECKER, MAKER } from '../../../test/support/people/reviewers.ts';
import { openTestTerminal } from '../../../test/support/people/terminal.ts';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import { makeKeyFile } from '../../adapters/signer/key-file.ts';
import { makeKeyStore } from '../../adapters/signer/key-store.ts';
import { entryOf } from '../../domain/ledger/ledger.ts';
import { feeCommands } from './fees.ts';
import { incidentCommands } from './incidents.ts';
import { limitCommands } from './limits.ts';
import { operationCommands } from './operations.ts';
import { reviewCommands } from './reviews.ts';
import { signerCommands } from './signer.ts';
import { vendorCommands } from './vendors.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'sliproad-settings-'));
after(() => rmSync(dataDir, { recursive: true }));
const setting = { name: 'NONE', file: null, text: null };
const desk = () => ({
  ...makeKeyStore({
    dataDir,
    keyFile: makeKeyFile(path.join(dataDir, 'keys.json')),
    passphrase: setting,
    newPassphrase: setting,
  }),
  signsLive: async () => true,
});
const stage = await openReviewStage();
const COMMANDS = [
  ...vendorCommands,
  ...feeCommands,
  ...limitCommands,
  ...incidentCommands,
  ...operationCommands,
  ...reviewCommands,
  ...signerCommands(desk),
];

async function run(line: string, actor = MAKER): Promise<string> {
  const words = line.split(' ');
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, n) => word === words[n]))!;
  const terminal = openTestTerminal({ ...stage.deps, database: stage.database }, actor);
  const answer = await command.run(terminal, words.slice(command.name.split(' ').length));
  assert.equal(differenceToConsole(command.name, answer), undefined);
  return terminal.printed.join('\n');
}
const idIn = (text: string) => /prp_\w+/.exec(text)![0];

test('threat 83: a live vendor is proposed, and is listed after another person approves it', async () => {
  const add = 'vendors add --mode live --name Ours --number 1234567890 --bank Wema';
  await assert.rejects(run(add, 'os:root'), /Sign in first: bin\/sliproad login/);
  const proposed = await run(add);
  assert.match(
    proposed,
    /per_ada proposes to add the live vendor Ours, 1234567890, Wema\.\nNothing has changed yet/,
  );
  const id = idIn(proposed);
  assert.ok(proposed.includes(`bin/sliproad reviews approve ${id}\n`));
  assert.match(await run('vendors list'), /No vendors yet/);
  assert.match(
    await run('reviews list --mode live'),
    new RegExp(`${id} +live +add the live .* Ada +\\d+m +can be`),
  );
  assert.match(await run(`reviews show ${id}`), /"setting":"vendor_added"/);
  await assert.rejects(run(`reviews approve ${id}`), /another person must decide/);
  assert.match(
    await run(`reviews approve ${id}`, CHECKER),
    /Approved and done: add .*\nTo see .* vendors list$/,
  );
  const vendorId = /vnd_\w+/.exec(await run('vendors list'))![0];
  assert.match(await run(`vendors rename ${vendorId} --name Other`), /proposes to rename the vendor/);
  assert.match(await run(`vendors disable ${vendorId}`, 'os:root'), /changed/, 'a stop takes one person');
  assert.match(await run(`vendors enable ${vendorId}`), /proposes to enable/);
  const test = 'vendors add --mode test --name Ours --number 1234567890 --bank Wema';
  assert.match(await run(test, 'os:root'), /vnd_\w+ added: .*Buyers see it immediately/);
});

test('live fees and limits become proposals, and their author can withdraw them', async () => {
  const fee = await run('fees set --mode live --product buy --flat 50 --bps 100 --cap 2000');
  assert.match(
    fee,
    /set the fee of a live buy to ₦50\.00 and 100 bps, at most ₦2,000\.00, for all businesses/,
  );
  assert.match(await run('fees list'), /No fees are set/);
  assert.match(await run(`reviews withdraw ${idIn(fee)}`), /Withdrawn, nothing was changed: set the fee/);
  await assert.rejects(run(`reviews approve ${idIn(fee)}`, CHECKER), /withdrawn by per_ada/);
  const limit = await run('limits set --mode live --per-day 1000 --per-month none');
  assert.match(limit, /set the live limits of all .*: per day ₦1,000\.00, per month none\./);
  assert.match(await run(`reviews approve ${idIn(limit)}`, CHECKER), /Approved and done/);
  assert.match(await run('limits list'), /live +all +none +₦1,000\.00 +none/);
  assert.match(await run('fees set --mode test --product buy --flat 1', 'os:root'), /A test buy costs/);
  await assert.rejects(run('fees set --mode live --product buy --bps 9000'), /basis points/);
});

test('one person can pause money movements at once, and two people resume them; the status shows who, when and why', async () => {
  assert.equal(await run('movements status'), 'Money movements are not paused.');
  assert.match(await run('movements pause --reason odd', 'os:ops'), /are paused\. To resume/);
  assert.match(await run('movements status'), /are paused.*\nPaused by os:ops at \d{4}-\S+Z: odd$/);
  const resume = await run('movements resume');
  assert.match(resume, /proposes to resume money movements\./);
  assert.match(await run('movements status'), /are paused/);
  assert.match(await run(`reviews approve ${idIn(resume)}`, CHECKER), /movements status$/);
  assert.match(
    await run('movements status'),
    /not paused\.\nResumed by Obi \(per_obi\) at .*: no reason was given$/,
  );
  await assert.rejects(run('movements resume'), /not paused/);
});

test('lifting a live freeze needs two people', async () => {
  await stage.database.query({
    text: `insert into freezes (business_id, mode, reason, at) values ($1, 'live', 'x', now())`,
    values: [BUSINESS],
  });
  const lift = await run(`freezes lift --business ${BUSINESS} --mode live --reason paid`);
  assert.match(lift, /lift the live freeze of biz_fixture \(paid\)/);
  await run(`reviews approve ${idIn(lift)}`, CHECKER);
  assert.match(await run('freezes list'), /No business is frozen/);
});

test('a case is shown with the commands that close it, and two people close it with a ledger posting', async () => {
  const { database, deps } = stage;
  const lost = entryOf('loss', {
    ...{ mode: 'test', subjectId: 'cas_1', bankAccount: 'x:1', amounts: { amount: 700n } },
  });
  const came = entryOf('credit_received', {
    ...{ mode: 'test', subjectId: 'cas_1', bankAccount: 'x:1', amounts: { amount: 700n } },
  });
  assert.deepEqual(await deps.store.commit([{ atMs: 1, entries: [came, lost] }]), [{ kind: 'committed' }]);
  await database.query({
    text: `insert into cases (id, kind, mode, amount_minor, opened_at)
      values ('cas_1', 'credit_reversed', 'test', 700, now())`,
  });
  assert.match(await run('cases list'), /cas_1 +credit_reversed/);
  const shown = await run('cases show cas_1');
  assert.match(shown, /reversed a payment/);
  assert.match(shown, /reviews propose recovered cas_1/);
  assert.match(shown, /reviews propose accept-loss cas_1/);
  const proposed = await run('reviews propose accept-loss cas_1');
  assert.match(proposed, /accept cas_1 as a loss/);
  await assert.rejects(run(`reviews approve ${idIn(proposed)}`), /another person/);
  await run(`reviews approve ${idIn(proposed)}`, CHECKER);
  assert.match(await run('cases list'), /No case is open/);
  assert.match(await run('cases show cas_1'), /accepted/);
  await assert.rejects(run('reviews propose recovered cas_1'), /closed \(accepted\)/);
  await assert.rejects(run('cases show cas_2'), /no case cas_2/);
});

test('threat 49: with keys of live networks, one person can stop signing without a database, and two people resume it', async () => {
  assert.equal(await run('signer resume'), 'Signing was not stopped.');
  await run('signer stop a laptop was stolen', 'os:ops');
  await assert.rejects(run('signer resume', 'os:ops'), /Sign in first/);
  const first = await run('signer resume');
  assert.match(first, /proposes to resume signing after the stop: .*stolen/);
  assert.match(
    await run(`reviews approve ${idIn(first)}`, CHECKER),
    /on each machine .*: bin\/sliproad signer resume$/,
  );
  assert.match(await run('signer status'), /Signing is stopped/, 'the file is removed on its own machine');
  assert.equal(await run('signer resume', 'os:ops'), 'Signing is resumed.');
  // An approval to resume signing is valid for only one stop.
  await run('signer stop another one', 'os:ops');
  assert.match(await run('signer resume'), /proposes to resume signing after the stop: .*another one/);
  assert.match(await run('signer status'), /Signing is stopped/);
});
