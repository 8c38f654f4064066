// Defines what every rate source must do when its server is slow, broken, blocked or returns too much data. The source must
// fail in time, report the reason, and recover.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SourceFailure, type SourceFailureCode } from '../../../src/ports/rates.ts';
import { inTime, longEnough } from '../../support/patience.ts';
import type { FaultDetail, FaultKind } from '../../support/rate-servers/faults.ts';
import type { Played } from './playing.ts';

async function failureOf({ read }: Played): Promise<SourceFailure> {
  const error = await read().then(
    (rates) => assert.fail(`it reported ${rates.length} rates`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SourceFailure, `${error}`);
  return error;
}

const FAULTS: readonly (readonly [FaultKind, SourceFailureCode, RegExp, FaultDetail?])[] = [
  ['slow_headers', 'unreachable', /did not answer within \d+000 ms/],
  ['drip', 'unreachable', /did not answer within \d+000 ms/],
  ['reset', 'unreachable', /cannot be reached/],
  ['status', 'refused', /status 403\.$/, { status: 403 }],
  ['status', 'refused', /status 429: it is asked too often\.$/, { status: 429, retryAfter: '30' }],
  ['status', 'refused', /status 500\.$/, { status: 500 }],
  ['status', 'refused', /status 502\.$/, { status: 502 }],
  ['redirect', 'refused', /status 302, a redirect, which is not followed/],
  ['redirect', 'refused', /status 302/, { location: 'http://169.254.169.254/latest' }],
  ['truncated', 'unreadable', /not valid JSON, or it was cut off/],
  ['huge', 'unreadable', /more than 1048576 bytes/],
  ['not_json', 'unreadable', /text\/html, not with JSON/],
  ['empty', 'unreadable', /not valid JSON/],
];

const LONG = '2m';
const isSlow = (fault: FaultKind) => fault === 'slow_headers' || fault === 'drip';

export type Playing = (work: (played: Played) => Promise<void>, changes?: object) => Promise<void>;

/**
 * The timeout is short only if the test waits for it. If the machine is too slow to respond before and after the fault, the
 * test makes the timeout longer.
 */
async function inItsTime(fault: FaultKind, playing: Playing, work: (played: Played) => Promise<void>) {
  if (!isSlow(fault)) return playing(work, { timeout: LONG });
  await longEnough(1_000, async (timeoutMs) => {
    let isLate = false;
    await playing((played) => work(played).catch(lateIn), { timeout: `${timeoutMs / 1_000}s` });
    return isLate ? undefined : true;

    function lateIn(error: unknown) {
      isLate = error instanceof SourceFailure && / did not answer within /.test(error.message);
      if (!isLate) throw error;
    }
  });
}

export function sourceContract(name: string, playing: Playing): void {
  describe(name, { concurrency: 4 }, () => {
    for (const [fault, code, words, detail = {}] of FAULTS)
      test(`${fault} ${JSON.stringify(detail)}: ${code}, within the time limit, and normal answers after it`, () =>
        inItsTime(fault, playing, async (played) => {
          const usual = await played.read();
          assert.ok(usual.length > 0);
          played.server.fail(fault, detail);
          const failure = await inTime('the failure', failureOf(played));
          assert.deepEqual([failure.code, words.test(failure.message)], [code, true], failure.message);
          // The server receives one request for each read, and no request to the target of a redirect.
          assert.equal(played.server.requests.length, 2);
          played.server.fail('none');
          assert.deepEqual(await played.read(), usual);
        }));

    test('a compressed answer gives the same result', () =>
      playing(async (played) => {
        const usual = await played.read();
        played.server.fail('gzip');
        assert.deepEqual(await played.read(), usual);
      }));

    test('a stopped server is unreachable', () =>
      playing(async (played) => {
        await played.server.close();
        const { code, message } = await failureOf(played);
        assert.equal(code, 'unreachable');
        assert.match(message, /^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\.$/);
      }));
  });
}
