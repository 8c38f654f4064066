// Tests what happens when the owner of the tables disables the triggers and alters the audit log. The verification must find
// the alteration and report the entry.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseWithKeys } from '../../../../test/http/store-fixtures.ts';
import { auditEntry, behindItsBack, verified } from '../../../../test/support/audit-stage.ts';
import { superuserUrl } from '../../../../test/support/database.ts';
import { makeAuditLog } from './audit-log.ts';

const { url, database } = await databaseWithKeys();
const audit = makeAuditLog(database);
const { no: before } = await audit.head();
for (let index = before; index < 20; index++) await audit.record(auditEntry({ subject: `ses_${index}` }));
const held = await audit.head();

const REHASH = (no: number) => `update audit_log l set hash = audit_hash(l) where no = ${no}`;
const RELINK = `do $$ declare e audit_log; begin for e in select * from audit_log where no >= 7 order by no loop
  update audit_log l set previous_hash = (select hash from audit_log p where p.no = e.no - 1) where l.no = e.no;
  update audit_log l set hash = audit_hash(l) where l.no = e.no; end loop; end $$`;
const FORGED = `insert into audit_log select 7, at, 'per_eve', action, subject, business_id, detail, previous_hash, hash
  from audit_log where no = 8`;

const TAMPERING: readonly [what: string, statements: readonly string[], no: number, text: RegExp][] = [
  ['an actor is altered', [`update audit_log set actor = 'per_eve' where no = 7`], 7, /altered/],
  ['a detail is altered', [`update audit_log set detail = '{"surface": "x"}' where no = 1`], 1, /altered/],
  [
    'a time is altered',
    [`update audit_log set at = at - interval '1 microsecond' where no = 20`],
    20,
    /altered/,
  ],
  ['a business is removed', [`update audit_log set business_id = '' where no = 7`], 7, /altered/],
  [
    'an entry is altered with its hash',
    [`update audit_log set actor = 'e' where no = 7`, REHASH(7)],
    8,
    /does not continue entry 7 as it is now/,
  ],
  ['an entry is deleted', ['delete from audit_log where no = 7'], 7, /missing/],
  ['the first entry is deleted', ['delete from audit_log where no = 1'], 1, /missing/],
  [
    'an entry is inserted in the middle',
    [
      'update audit_log set no = no + 100 where no >= 7',
      'update audit_log set no = no - 99 where no > 100',
      FORGED,
    ],
    7,
    /altered/,
  ],
  [
    'an entry is added before the first',
    [
      `insert into audit_log select 0, at, actor, action, subject, business_id, detail, previous_hash, hash from audit_log where no = 1`,
    ],
    0,
    /impossible number/,
  ],
  [
    'an entry is added outside the chain',
    [
      `insert into audit_log select 21, at, actor, action, subject, business_id, detail, hash, hash from audit_log where no = 20`,
    ],
    21,
    /outside the chain/,
  ],
  ['the last entries are deleted', ['delete from audit_log where no > 15'], 16, /16 to 20 are missing/],
  ['all are deleted', ['truncate audit_log'], 1, /1 to 20 are missing/],
  [
    'all are deleted, the head too',
    ['truncate audit_log', 'truncate audit_head'],
    1,
    /row with the head of the log was removed/,
  ],
  [
    'everything from one entry on is written anew',
    [`update audit_log set actor = 'per_eve' where no = 7`, RELINK],
    20,
    /match the head|saved head/,
  ],
];

for (const [what, statements, no, text] of TAMPERING) {
  test(`threat 84: ${what}: verification finds and names the entry`, async () => {
    await behindItsBack(url, statements, async (altered) => {
      const { finding } = await verified(altered, held);
      assert.equal(finding?.no, no);
      assert.match(finding!.text, text);
    });
  });
}

test('threat 84: a new chain with its own head, or a shorter chain, differs from the saved head outside the database', async () => {
  const head = `update audit_head set (no, hash) = (select no, hash from audit_log order by no desc limit 1)`;
  await behindItsBack(
    url,
    [`update audit_log set actor = 'per_eve' where no = 7`, RELINK, head],
    async (altered) => {
      assert.equal((await verified(altered)).finding, undefined, 'nothing in the database shows it');
      assert.match((await verified(altered, held)).finding!.text, /saved head/);
    },
  );
  await behindItsBack(url, ['delete from audit_log where no > 15', head], async (altered) => {
    assert.equal((await verified(altered)).finding, undefined, 'nothing in the database shows it');
    const { finding } = await verified(altered, held);
    assert.deepEqual([finding?.no, /ends with entry 15/.test(finding?.text ?? '')], [16, true]);
  });
});

test('threat 84: an entry that was altered in a session with disabled triggers is found', async () => {
  const alter = [
    `set local session_replication_role = replica`,
    `update audit_log set subject = 'x' where no = 3`,
  ];
  await behindItsBack(superuserUrl(url), alter, async (altered) => {
    assert.equal((await verified(altered)).finding?.no, 3);
  });
});

test('threat 84: the database role of the service can only append entries, and cannot remove the head', async () => {
  for (const text of [
    ...[`update audit_log set actor = 'x'`, 'delete from audit_log', 'truncate audit_log'],
    ...['delete from audit_head', 'truncate audit_head'],
  ])
    await assert.rejects(database.query({ text }), /append-only/, text);
  assert.deepEqual(await verified(database, held), {
    head: { no: held.no, hash: held.hash },
    digests: 0,
    finding: undefined,
  });
});
