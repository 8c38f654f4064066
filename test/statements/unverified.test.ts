// A file that an unverified profile reads gives no value: nothing of it is stored until people confirm its totals, in live mode two.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeBackOffice } from '../../src/adapters/postgres/back-office/back-office.ts';
import { makeSettingStore } from '../../src/adapters/postgres/back-office/setting-store.ts';
import { makeStatementFeed } from '../../src/adapters/postgres/statements/statement-feed.ts';
import { changeSetting } from '../../src/app/back-office/change-setting.ts';
import type { SettingDeps } from '../../src/app/back-office/setting-deps.ts';
import { makeProfileConfirmation } from '../../src/app/statements/confirm-profile.ts';
import { importStatement } from '../../src/app/statements/import-statement.ts';
import { describeSetting } from '../../src/domain/back-office/describe-setting.ts';
import type { Mode } from '../../src/domain/values/mode.ts';
import { agreeOnSetting } from '../support/people/reviewers.ts';
import { rateDepsOn } from '../support/rates/prices.ts';
import { openImports } from './layouts.ts';

const imports = await openImports(true);
after(imports.close);
const { database, deps } = imports;
const settings = {
  ...{ backOffice: makeBackOffice(database), settingDesk: makeSettingStore(database), banks: deps.banks },
  ...{ clock: { now: () => Date.now() }, entropy: deps.entropy, database, ...rateDepsOn(database) },
} as unknown as SettingDeps & { readonly database: typeof database };

const HEAD = 'Tran Date,Value Date,Narration,Debit,Credit,Balance\n';
const FIRST = `${HEAD}04/05/2026,04/05/2026,NIP/KUDA/ADA OBI/RENT,,100.00,1100.00\n05/05/2026,05/05/2026,FEE,10.00,,1090.00\n`;

async function importText(mode: Mode, number: string, text: string, profile: string | null = null) {
  const result = await importStatement(deps, {
    account: { mode, account: `uba:${number}`, number, vendorId: 'vnd_1' },
    bytes: (async function* () {
      yield Buffer.from(`Account No: ${number}\n${text}`);
    })(),
    ...{ name: 'may.csv', profile, profileChange: false, dryRun: false, actor: 'os:test' },
  });
  assert.ok(result.ok, result.ok ? '' : result.error.message);
  return result.value;
}

const countRows = async () =>
  (await database.query<{ count: string }>({ text: 'select count(*) from statement_rows' })).rows[0]!.count;

test('threat 95: nothing of a file with an unverified profile is stored until two people confirm its totals', async () => {
  const first = await importText('live', '9900500001', FIRST);
  assert.deepEqual([first.needsConfirmation, first.file.state, first.file.profile], [true, 'failed', 'uba']);
  assert.deepEqual(first.file.totals, { inMinor: 10_000n, outMinor: 1_000n });
  assert.equal(await countRows(), '0');
  assert.deepEqual((await makeStatementFeed(database, 'live').read(null)).lines, []);
  const again = await importText('live', '9900500001', FIRST);
  assert.equal(again.needsConfirmation, true, 'a second import changes nothing');

  const request = await makeProfileConfirmation(deps, first.file.id);
  assert.ok(request.ok);
  assert.match(
    describeSetting(request.value),
    /2 rows from 2026-05-04 to 2026-05-05, ₦100\.00 in and ₦10\.00 out/,
  );
  const alone = await changeSetting(settings, request.value, { actor: 'os:ada' });
  assert.equal(!alone.ok && alone.error.code, 'sign_in_needed');
  assert.equal((await importText('live', '9900500001', FIRST)).needsConfirmation, true);

  const agreed = await agreeOnSetting(settings, request.value);
  assert.equal(agreed.ok && agreed.value.kind, 'proposed');
  const done = await importText('live', '9900500001', FIRST);
  assert.deepEqual([done.needsConfirmation, done.file.state, done.file.rowsNew], [false, 'done', 2]);
  assert.equal((await makeStatementFeed(database, 'live').read(null)).lines.length, 1);
  const later = await makeProfileConfirmation(deps, first.file.id);
  assert.match(!later.ok ? later.error.message : '', /needs no confirmation/);
});

test('a confirmation counts for one account, mode and profile', async () => {
  assert.equal((await importText('live', '9900500002', FIRST)).needsConfirmation, true);
  const one = await importText('test', '9900500001', FIRST);
  assert.equal(one.needsConfirmation, true);
  const request = await makeProfileConfirmation(deps, one.file.id);
  assert.ok(request.ok);
  const done = await changeSetting(settings, request.value, { actor: 'os:ada' });
  assert.equal(done.ok && done.value.kind, 'done', 'in test mode one person is enough');
  assert.equal((await importText('test', '9900500001', FIRST)).needsConfirmation, false);
  const generic = 'Date,Narration,Debit,Credit,Balance\n2026-05-04,NIP ONE,,1.00,1.00\n';
  assert.equal(
    (await importText('live', '9900500003', generic)).needsConfirmation,
    false,
    'verified or generic',
  );
});

test('a confirmation of the totals does not answer the question about a missing source, nor the other way round', async () => {
  const noSource = { ...deps, store: { creditSources: async () => new Map() } };
  const load = async (more: { readonly dryRun?: boolean; readonly withoutSource?: number } = {}) => {
    const result = await importStatement(noSource, {
      account: { mode: 'test', account: 'uba:9900500005', number: '9900500005', vendorId: 'vnd_1' },
      bytes: (async function* () {
        yield Buffer.from(`Account No: 9900500005\n${FIRST}`);
      })(),
      ...{ name: 'may.csv', profile: null, profileChange: false, dryRun: false, actor: 'os:test', ...more },
    });
    return result.ok ? result.value : assert.fail(result.error.message);
  };
  const asks = async (given = {}) => {
    const { needsConfirmation, question, file } = await load(given);
    return [needsConfirmation, question?.incoming ?? null, file.state, file.rowsNew];
  };
  const before = await countRows();
  assert.deepEqual((await asks({ dryRun: true })).slice(0, 2), [true, 1], 'a dry run shows both');
  assert.deepEqual(await asks({ withoutSource: 1 }), [true, null, 'failed', 0]);
  const held = await load();
  const request = await makeProfileConfirmation(deps, held.file.id);
  assert.ok(request.ok);
  const confirmed = await changeSetting(settings, request.value, { actor: 'os:ada' });
  assert.equal(confirmed.ok && confirmed.value.kind, 'done');
  assert.deepEqual(await asks(), [false, 1, 'failed', 0]);
  assert.equal(await countRows(), before);
  assert.deepEqual(await asks({ withoutSource: 1 }), [false, null, 'done', 2]);
});

test('a dry run shows the totals and stores nothing', async () => {
  const files = (await deps.statements.listFiles({ limit: 100 })).length;
  const result = await importStatement(deps, {
    account: { mode: 'live', account: 'uba:9900500004', number: '9900500004', vendorId: 'vnd_1' },
    bytes: (async function* () {
      yield Buffer.from(`Account No: 9900500004\n${FIRST}`);
    })(),
    ...{ name: 'may.csv', profile: null, profileChange: false, dryRun: true, actor: 'os:test' },
  });
  assert.ok(result.ok && result.value.needsConfirmation);
  assert.equal((await deps.statements.listFiles({ limit: 100 })).length, files);
});
