// The log of requests and the end of a process: SIGTERM writes everything that was answered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { startProcess } from '../support/process.ts';

test('SIGTERM writes the log of requests: every request that was answered is found after the next start', async (t) => {
  const service = await startProcess(t, { home: await makeUsedHome(t), settings: { DRAIN_MS: '1' } });
  const { test_key: key } = service.sandbox();
  const headers = { 'svc-sec-key': key, 'content-type': 'application/json' };
  const post = () =>
    fetch(`${service.baseUrl}/transactions/v1/onramp`, { method: 'POST', headers, body: '{}' });
  const answers = await Promise.all(Array.from({ length: 200 }, post));
  service.kill('SIGTERM');
  const ids = answers.map((answer) => answer.headers.get('request-id')!);
  assert.deepEqual(await service.ended, { code: 0, signal: null });

  const next = await startProcess(t, { home: service.home });
  for (const id of ids) {
    const answer = await fetch(`${next.baseUrl}/requests/v1/${id}`, { headers: { 'svc-sec-key': key } });
    assert.equal(answer.status, 200, id);
  }
  assert.deepEqual(await next.stop(), { code: 0, signal: null });
});
