// Tests the audit commands as an operator uses them, and the audit entries about reads of a business's data.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { acceptedBuys } from '../../../../test/http/settlement-fixtures.ts';
import { BUSINESS, databaseWithKeys, NOW } from '../../../../test/http/store-fixtures.ts';
import { behindItsBack } from '../../../../test/support/audit-stage.ts';
import { makeNetworks } from '../../../adapters/networks/registry.ts';
import { makeAuditLog } from '../../../adapters/postgres/audit/audit-log.ts';
import { makeBackOffice } from '../../../adapters/postgres/back-office/back-office.ts';
import { makeSettingStore } from '../../../adapters/postgres/back-office/setting-store.ts';
import type { Database } from '../../../adapters/postgres/connection/database.ts';
import { makeLedgerAudit } from '../../../adapters/postgres/ledger/audit.ts';
import { makeOperationsStore } from '../../../adapters/postgres/operations/operations-store.ts';
import { makeProposalStore } from '../../../adapters/postgres/review/proposal-store.ts';
import { makeReviewStore } from '../../../adapters/postgres/review/review-store.ts';
import { makePostgresStore } from '../../../adapters/postgres/store.ts';
import { readConfig } from '../../../config.ts';
import type { Terminal } from '../../command.ts';
import { admitCommand } from '../../terminal-user.ts';
import { businessCommands } from '../businesses.ts';
import { incidentCommands } from '../incidents.ts';
import { keyCommands } from '../keys.ts';
import { ledgerCommands } from '../ledger/ledger.ts';
import { reviewCommands } from '../reviews.ts';
import { auditCommands } from './audit.ts';

const { url, database } = await databaseWithKeys();
const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-audit-'));
after(() => rmSync(directory, { recursive: true, force: true }));

const COMMANDS = [
  ...[...auditCommands, ...businessCommands, ...incidentCommands],
  ...[...keyCommands, ...ledgerCommands, ...reviewCommands],
];

function foundationOn(given: Database) {
  return {
    ...{ audit: makeAuditLog(given), backOffice: makeBackOffice(given), store: makePostgresStore(given) },
    ...{ reviewDesk: makeReviewStore(given), ledgerAudit: makeLedgerAudit(given) },
    ...{ proposalDesk: makeProposalStore(given), settingDesk: makeSettingStore(given) },
    operations: makeOperationsStore(given, 0),
    networks: makeNetworks({ live: [], test: [] }, []),
    clock: { now: () => NOW + 60_000 },
    actor: 'os:support',
  };
}

async function run(line: string, on = database): Promise<string> {
  return (await runWith(line, on)).printed.join('\n');
}

async function answer(line: string) {
  type Listed = { readonly entries: readonly { readonly detail: { readonly what: string } }[] };
  return ((await runWith(line, database)).answer as unknown as Listed).entries;
}

async function runWith(line: string, on: Database) {
  const words = line.split(' ');
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, n) => word === words[n]))!;
  const printed: string[] = [];
  const foundation = foundationOn(on);
  const terminal = {
    config: readConfig({}),
    print: (text: string) => printed.push(text),
    progress: () => undefined,
    withFoundation: (work: (given: typeof foundation) => unknown) => work(foundation),
  };
  const args = words.slice(command.name.split(' ').length);
  await admitCommand(command.name, foundation, { actor: foundation.actor, signedIn: null }, args);
  return { answer: await command.run(terminal as unknown as Terminal, args), printed };
}

test('threat 85: a read of business data is logged with its reader before the data is shown', async () => {
  const [buy] = await acceptedBuys(database, 1);
  const reads = [
    ['businesses list', null, null],
    ['keys list', null, null],
    [`keys list --business ${BUSINESS}`, BUSINESS, null],
    ['reviews list', null, null],
    [`reviews show ${buy!.id}`, BUSINESS, buy!.id],
    ['freezes list', null, null],
    ['cases list', null, null],
    [`audit list --business ${BUSINESS}`, BUSINESS, null],
  ] as const;
  const { audit } = foundationOn(database);
  for (const [line, businessId, subject] of reads) {
    await run(line);
    const [entry] = await audit.list({ limit: 1 });
    const what = line.split(' ').slice(0, 2).join(' ');
    assert.deepEqual(
      [entry!.actor, entry!.action, entry!.businessId, entry!.subject, JSON.parse(entry!.detail)],
      ['os:support', 'data.read', businessId, subject, { what }],
      line,
    );
  }
  await assert.rejects(run('reviews show sk_a_secret_by_mistake'), /There is no/);
  const [last] = await audit.list({ limit: 1 });
  assert.deepEqual(
    [last!.subject, JSON.parse(last!.detail)],
    [null, { what: 'reviews show' }],
    'nothing that was typed is kept',
  );
});

test('threat 85: if a read cannot be logged, no data is shown', async () => {
  const broken: Database = {
    ...database,
    query: () => Promise.reject(new Error('the log cannot be written')),
  };
  await assert.rejects(run('keys list', broken), /cannot be written/);
});

test('the list shows who did what, filtered by its options, as a table or as JSON', async () => {
  const shown = await run(`audit list --action key_ --limit 1`);
  assert.match(
    shown,
    /^NO +AT +ACTOR +ACTION +SUBJECT +BUSINESS +DETAIL\n\d+ +2026-11-14T09:30:00.123000Z +test +key_added/,
  );
  const [newest] = await answer('audit list --actor os:support --since 2026-11-14T00:00:00Z --json');
  assert.equal(newest!.detail.what, 'audit list');
  assert.match(await run('audit list --subject nothing'), /No matching entries/);
  assert.match(
    await run('audit list --since 1h --until 2026-11-15T00:00:00Z --action data.read --before 9 --limit 1'),
    /data.read/,
  );
  await assert.rejects(run('audit list --since yesterday'), /--since must be a time/);
  await assert.rejects(run('audit list --limit 0'), /--limit must be/);
});

test('threat 84: an export is verified without the database, and the refusal of an altered export names the entry', async () => {
  const file = path.join(directory, 'log.jsonl');
  assert.match(await run(`audit export --file ${file}`), /Wrote \d+ entries/);
  const [, head] = /head {2}(\d+:[0-9a-f]{64})/.exec(await run(`audit verify --file ${file}`))!;
  assert.match(await run('audit verify'), new RegExp(`head {2}${head}`), 'the export has everything');
  assert.match(await run(`audit verify --file ${file} --head ${head}`), /is intact/);
  await assert.rejects(run(`audit export --file ${file}`), /EEXIST/);

  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const damaged = path.join(directory, 'damaged.jsonl');
  const verifyDamaged = (changed: readonly string[]) => {
    writeFileSync(damaged, changed.map((line) => `${line}\n`).join(''));
    return run(`audit verify --file ${damaged} --head ${head}`);
  };
  await assert.rejects(
    verifyDamaged(lines.with(1, lines[1]!.replace('key_added', 'key_ended'))),
    /broken at entry 2: .*altered/,
  );
  await assert.rejects(verifyDamaged(lines.toSpliced(2, 1)), /broken at entry 3: .*missing/);
  await assert.rejects(verifyDamaged(lines.slice(0, -1)), /saved head/);
  await assert.rejects(verifyDamaged(['{}']), /Line 1 of .* is not an entry/);
  await assert.rejects(run(`audit verify --file ${directory}/none`), /cannot be read: ENOENT/);
  await assert.rejects(run('audit verify --head 5'), /NO:HASH/);
});

test('threat 84: if the database owner altered an entry, audit verify and ledger check fail and name the entry', async () => {
  assert.match(await run('ledger check'), /The audit log is intact/);
  await behindItsBack(url, [`update audit_log set actor = 'per_eve' where no = 2`], async (altered) => {
    await assert.rejects(run('audit verify', altered), /broken at entry 2: entry 2 was altered/);
    await assert.rejects(run('ledger check', altered), /broken at entry 2/);
  });
});
