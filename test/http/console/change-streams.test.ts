// Tests the streams that tell the operator's open pages about changes. A stream ends with its session, with its role, or when
// the service stops, and the number of streams is limited.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { endAllSessions, listSessions, type SignedInSession } from '../../../src/app/people/sessions.ts';
import { makeChangeStreams } from '../../../src/http/console/operations/change-streams.ts';
import { startTestService } from '../../support/service.ts';
import { addConsolePerson, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback' });
const { membership: people } = service.foundation;
let mark = 0;
const marks = async () => ({
  ...{ transactions: String(mark), ledger: '', review: '', proposals: '', stops: '', people: '', rates: '' },
});
const errors: Error[] = [];
const streams = makeChangeStreams(
  { operations: { marks }, people, onError: (error) => errors.push(error) },
  { lookMs: 20, beatMs: 30 },
);
const app = Fastify();
app.decorate('asStream', () => undefined);
let current: SignedInSession;
app.get('/stream', (_, reply) => {
  const refused = streams.open(reply, current);
  if (refused !== undefined) reply.code(429).send(refused);
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
after(async () => {
  streams.close();
  await app.close();
  assert.deepEqual(errors, []);
});

async function operator() {
  const person = await addConsolePerson(service, { operator: 'auditor' });
  await signedIn(service, person);
  const [session] = await listSessions(people, person.id);
  current = { session: session!, person: (await people.people.find(person.id))!, newToken: null };
  const response = await fetch(`${url}/stream`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  /** Reads until the text matches. If `wanted` is undefined, it reads until the stream ends. */
  const until = async (wanted?: RegExp) => {
    for (;;) {
      if (wanted?.test(text)) return;
      const { value, done } = await reader.read();
      if (done) return wanted === undefined ? undefined : assert.fail(`ended: ${text}`);
      text += value;
    }
  };
  return { person, until };
}

test('after a change a hint with its subject is sent, and heartbeats are sent while nothing changes', async () => {
  const { until } = await operator();
  await until(/heartbeat/);
  mark++;
  await until(/event: changed\ndata: \{"subjects":\["transactions"\]\}/);
});

test('a stream ends when its session ends or when the person no longer has a role', async () => {
  const signedOut = await operator();
  await signedOut.until(/heartbeat/);
  await endAllSessions(people, signedOut.person.id, null);
  await signedOut.until();
  const dismissed = await operator();
  await dismissed.until(/heartbeat/);
  const doing = { actor: 'service:test', atMs: people.clock.now() };
  await people.people.setOperatorRole(dismissed.person.id, null, doing);
  await dismissed.until();
});

test('when the service stops, all streams end and no new one starts', async () => {
  const { until } = await operator();
  await until(/connected/);
  streams.drain();
  await until();
  assert.equal((await fetch(`${url}/stream`)).status, 429);
});
