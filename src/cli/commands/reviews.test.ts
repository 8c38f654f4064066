// Tests the review commands as two reviewers use them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notice } from '../../../test/http/settlement-fixtures.ts';
import { differenceToConsole } from '../../../test/support/client/command-answers.ts';
import { CHECKER, MAKER } from '../../../test/support/people/reviewers.ts';
import { openTestTerminal } from '../../../test/support/people/terminal.ts';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import { makeMove } from '../../domain/records/change.ts';
import { reviewCommands } from './reviews.ts';

const stage = await openReviewStage();

async function run(line: string, actor = MAKER): Promise<string> {
  const words = line.split(' ');
  const command = reviewCommands.find(({ name }) => name.split(' ').every((word, n) => word === words[n]))!;
  const terminal = openTestTerminal({ ...stage.deps, database: stage.database }, actor);
  const answer = await command.run(terminal, words.slice(command.name.split(' ').length));
  assert.equal(differenceToConsole(command.name, answer), undefined);
  return terminal.printed.join('\n');
}

test('one person proposes, another approves, and each command prints the next step', async () => {
  assert.match(await run('reviews list'), /Nothing needs review/);
  const buy = await stage.buy();
  const credit = await stage.inReview(await stage.credit(1_500_000n), [buy], 'name_mismatch');
  const deposit = await stage.deposit(20_000n);
  const listed = await run('reviews list --mode test');
  for (const id of [buy.id, credit.id, deposit.id]) assert.ok(listed.includes(id));
  assert.match(await run(`reviews show ${deposit.id}`), /amountMinor +[\d,]+\.\d+ NGNC\n/, 'no minor units');
  await assert.rejects(run(`reviews propose release ${buy.id}`), new RegExp(`${credit.id}.*match`));

  const proposed = await run(`reviews propose match ${credit.id} ${buy.id}`);
  const [proposal] = /prp_\w+/.exec(proposed)!;
  assert.match(proposed, new RegExp(`per_ada proposes to match ${credit.id} to ${buy.id}, ₦15,000.00`));
  assert.match(proposed, new RegExp(`bin/sliproad reviews approve ${proposal}\\n`));
  assert.match(await run('reviews list'), new RegExp(proposal!));
  assert.match(await run(`reviews show ${credit.id}`), new RegExp(`approve ${proposal}`));
  await assert.rejects(run(`reviews approve ${proposal}`), /another person must decide/);
  await assert.rejects(run(`reviews approve ${proposal}`, 'os:obi'), /Sign in first: bin\/sliproad login/);
  await assert.rejects(run(`reviews approve ${proposal} --as obi`, CHECKER), /no option --as/);
  assert.match(await run(`reviews approve ${proposal}`, CHECKER), /Approved and done/);
  await assert.rejects(run(`reviews decline ${proposal} --reason late`, 'per_eve'), /approved by per_obi/);
  const shown = await run(`reviews show ${buy.id}`);
  assert.match(shown, /state +paid\n/);
  assert.match(shown, /per_obi +payment_found/);
  assert.match(shown, /"proposed_by":"/, 'operators see all of the evidence');
  assert.ok(shown.includes(credit.id));
  assert.match(await run(`reviews show ${proposal}`), /"decidedBy":"per_obi"/);
});

test('all other kinds of proposals work, and each command reports a missing argument', async () => {
  const credit = await stage.credit(100_000n);
  const split = await run(`reviews propose split ${credit.id} 400 600`);
  assert.match(split, /split crd_\w+ into ₦400.00 \+ ₦600.00, ₦1,000.00/);
  const decline = `reviews decline ${/prp_\w+/.exec(split)![0]}`;
  await assert.rejects(run(decline, CHECKER), /--reason is missing/);
  assert.match(await run(`${decline} --reason no`, CHECKER), /Declined, nothing was changed/);
  const account = '--bank GTBank --account 0123456785 --name Ada';
  assert.match(await run(`reviews propose refund ${credit.id} ${account}`), /to Ada, 0123456785, GTBank/);
  await assert.rejects(run(`reviews propose refund ${credit.id} ${account} --address x`), /not both/);
  await assert.rejects(run(`reviews propose refund ${credit.id} --bank GTBank`), /--account is missing/);
  await assert.rejects(run(`reviews propose split ${credit.id} 4oo`), /amount in naira/);
  assert.match(await run(`reviews propose write-off ${credit.id}`), /write off crd_/);
  await assert.rejects(run('reviews propose match'), /CREDIT_ID is missing/);
  await assert.rejects(run('reviews show nothing'), /There is no/);
  const held = await stage.hold(await stage.buy(), 'duplicate_claim');
  await assert.rejects(run(`reviews reject ${held.id}`), /--reason is missing/);
  assert.match(await run(`reviews reject ${held.id} --reason twice`), /is rejected/);
});

test('notices are listed, and are closed by booking a loss or by dismissing them', async () => {
  const credit = await stage.credit(100_000n, { state: 'written_off', dueAtMs: null });
  const taken = notice({ source: 'stage', about: credit.sourceId, amountMinor: 90_000n });
  const strange = notice({ source: 'stage', about: 'never came' });
  const atMs = stage.clock.now();
  await stage.commit({ atMs, newNotices: [taken, strange] });
  const notices = [taken, strange].map((each) => makeMove(each, { state: 'review' as const, dueAtMs: null }));
  await stage.commit({ atMs, notices });
  const listed = await run('reviews list');
  for (const { id } of [taken, strange]) assert.ok(listed.includes(id));
  assert.match(await run(`reviews show ${taken.id}`), /kind +credit_reversed/);
  await assert.rejects(run('reviews propose loss'), /NOTICE_ID is missing/);
  await assert.rejects(run(`reviews propose loss ${strange.id}`), /Dismiss it/);
  const lost = await run(`reviews propose loss ${taken.id}`);
  assert.match(lost, new RegExp(`book ${taken.id} as a loss, ₦900.00`));
  const dismissed = await run(`reviews propose dismiss ${strange.id}`);
  for (const proposed of [lost, dismissed])
    assert.match(await run(`reviews approve ${/prp_\w+/.exec(proposed)![0]}`, CHECKER), /Approved and done/);
  const left = await run('reviews list');
  for (const { id } of [taken, strange]) assert.ok(!left.includes(id));
});

test('unreadable reports of the selected mode are listed, newest first', async () => {
  const atMs = stage.clock.now();
  const line = { source: 'stage bank', raw: '{"secret":1}' };
  await stage.commit({ atMs, quarantine: { ...line, mode: 'live', reason: 'no amount' } });
  await stage.commit({ atMs, quarantine: { ...line, mode: 'test', reason: 'an amount below zero' } });
  await stage.commit({ atMs, quarantine: { ...line, mode: 'test', reason: 'no account' } });
  const listed = await run('reviews list --mode test');
  assert.match(listed, /\d +test +stage bank +no account +0m\n\d+ +test +stage bank +an amount below zero/);
  assert.ok(!listed.includes('no amount') && !listed.includes('secret'));
  assert.match(await run('reviews list'), /live +stage bank +no amount/);
});
