// Tests the limits for each client on requests without a key, per second and in parallel. These limits never affect requests
// with a valid key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pino from 'pino';
import { makeAdmission } from './admission.ts';

function stage(limits: { perSecond?: number; burst?: number; atOnce?: number }) {
  const lines: string[] = [];
  const time = { now: 1_000_000 };
  const admission = makeAdmission({
    clock: { now: () => time.now } as never,
    log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
    publicRateLimitPerSecond: limits.perSecond ?? 1_000,
    publicRateLimitBurst: limits.burst ?? 1_000,
    requestsInFlight: limits.atOnce ?? 1_000,
  });
  const reply = () => {
    const made = { raw: {}, sent: {} as Record<string, string> };
    return Object.assign(made, {
      header: (name: string, value: string) => {
        made.sent[name] = value;
      },
    }) as unknown as FastifyReply & { sent: Record<string, string> };
  };
  const ask = (ip: string) => {
    const request = { ip, turnedAway: false } as unknown as FastifyRequest;
    const answer = reply();
    const refused = admission.withoutKey(request, answer);
    return { refused, request, reply: answer };
  };
  return { admission, ask, reply, lines, time };
}

test('threat 71: a client without a key is limited to a burst and then to a rate; all addresses of a /64 count as one client', () => {
  const { ask, time } = stage({ perSecond: 2, burst: 4 });
  const admitted = (ips: readonly string[]) => ips.filter((ip) => ask(ip).refused === undefined).length;
  const ofOne64 = Array.from({ length: 10 }, (_, i) => `2001:db8:0:1::${i}`);
  assert.equal(admitted(ofOne64), 4);
  assert.equal(admitted(['2001:db8:0:2::1', '192.0.2.1', '::ffff:192.0.2.1']), 3);
  time.now += 1_000;
  assert.equal(admitted(ofOne64), 2);
  const { refused, request, reply } = ask(ofOne64[0]!);
  assert.equal(refused?.code, 'rate_limited');
  assert.equal(request.turnedAway, true);
  assert.equal(reply.sent.connection, 'close');
});

test('refusals are logged once per minute, with the client address', () => {
  const { ask, lines, time } = stage({ perSecond: 1, burst: 1 });
  for (let i = 0; i < 50; i++) ask('192.0.2.1');
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /"client":"192\.0\.2\.1"/);
  time.now += 60_000;
  for (let i = 0; i < 50; i++) ask('192.0.2.1');
  assert.equal(lines.length, 2);
});

test('threat 77: requests in flight are limited per client and per key, and each frees its slot exactly once', () => {
  const { admission, ask, reply } = stage({ atOnce: 3 });
  const first = Array.from({ length: 3 }, () => ask('192.0.2.1'));
  assert.ok(first.every(({ refused }) => refused === undefined));
  assert.equal(ask('192.0.2.1').refused?.code, 'rate_limited');
  assert.equal(ask('192.0.2.2').refused, undefined);
  admission.answered(first[0]!.reply.raw);
  assert.equal(ask('192.0.2.1').refused, undefined);
  assert.equal(ask('192.0.2.1').refused?.code, 'rate_limited');

  const keyed = Array.from({ length: 3 }, () => reply());
  for (const each of keyed) assert.equal(admission.withKey('key_a', each), undefined);
  const refused = reply();
  assert.equal(admission.withKey('key_a', refused)?.code, 'rate_limited');
  admission.answered(refused.raw); // this request never had a slot
  assert.equal(admission.withKey('key_a', reply())?.code, 'rate_limited');
  assert.equal(admission.withKey('key_b', reply()), undefined);
  admission.answered(keyed[0]!.raw);
  const gone = reply();
  Object.assign(gone.raw, { destroyed: true });
  assert.equal(admission.withKey('key_a', gone), undefined); // a closed connection takes no slot
  assert.equal(admission.withKey('key_a', reply()), undefined);
});
