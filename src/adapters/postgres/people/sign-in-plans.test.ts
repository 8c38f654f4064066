// Tests that the statements of sign-in find their rows by an index. Anyone can cause these statements, and the tables of
// sessions and tries grow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueryConfig } from 'pg';
import { openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import {
  addTestPerson,
  CLIENT,
  makePeople,
  pendingOf,
  signIn,
} from '../../../../test/support/people/people.ts';
import { findSession, listSessions } from '../../../app/people/sessions.ts';
import { signInWithPassword, signInWithSecondFactor } from '../../../app/people/sign-in.ts';
import { findFreshStepUp, stepUp } from '../../../app/people/step-up.ts';
import type { Database } from '../connection/database.ts';

const database = openTestDatabase(await freshDatabase());

test('threat 114: no sign-in statement scans a whole table', async () => {
  const texts = new Set<string>();
  const noting: Database = {
    ...database,
    query: (query) => {
      texts.add(query.text);
      return database.query(query);
    },
    transaction: (work) =>
      database.transaction((client) => {
        const query = client.query.bind(client);
        const noted = (given: string | QueryConfig, values: unknown[]) => {
          texts.add(typeof given === 'string' ? given : given.text);
          return query(given, values);
        };
        return work(Object.assign(Object.create(client), { query: noted }));
      }),
  };
  const people = makePeople(noting);
  const { deps, clock } = people;
  const person = await addTestPerson(noting, people);
  const { token, device, signedIn } = await signIn(people, person);
  await signInWithPassword(deps, { email: 'unknown@people.example', password: 'x', device });
  const pending = await pendingOf(people, person);
  const factor = { kind: 'recovery_code', code: 'x' } as const;
  await signInWithSecondFactor(deps, { token: pending, factor, ...CLIENT });
  await stepUp(deps, signedIn, 'prp_1', { kind: 'totp', code: person.code(clock.nowMs + 30_000) });
  await findFreshStepUp(deps, signedIn, 'prp_1');
  await findSession(deps, token);
  await listSessions(deps, person.id);
  await deps.signIn.passkeysOf(person.id);
  await deps.signIn.rotate(signedIn.session.id, 'a', 'b', clock.nowMs);
  await deps.signIn.endSessions(person.id, null, clock.nowMs);
  assert.ok(texts.size > 25, `${texts.size}`);
  for (const text of texts) {
    const { rows } = await database.query({ text: `explain (generic_plan) ${text}` });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.doesNotMatch(plan, /Seq Scan/, `${text}\n${plan}`);
  }
});
