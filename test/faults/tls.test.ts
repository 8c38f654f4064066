// Tests HTTPS that the service itself serves on both ports, with a certificate that the client checks.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { makeCertificate } from '../support/certificate.ts';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { startProcess } from '../support/process.ts';

test('threats 77, 90: TLS_CERT and TLS_KEY serve HTTPS on both ports, and the service stops as without TLS', async (t) => {
  const home = await makeUsedHome(t);
  const { cert, key } = makeCertificate();
  const settings = { TLS_CERT: path.join(home.root, 'cert.pem'), TLS_KEY: path.join(home.root, 'key.pem') };
  writeFileSync(settings.TLS_CERT, cert);
  writeFileSync(settings.TLS_KEY, key, { mode: 0o600 });
  const service = await startProcess(t, { home, settings });
  const { base_url, otc_base_url, test_key } = service.sandbox();
  assert.equal(base_url, `https://127.0.0.1:${home.port}`);
  assert.equal(otc_base_url, `https://127.0.0.1:${home.otcPort}`);
  const agent = new https.Agent({ keepAlive: true, ca: cert });
  t.after(() => agent.destroy());
  const options = { agent, headers: { 'svc-sec-key': test_key } };
  for (const url of [`${base_url}/ready`, `${base_url}/transactions/v1/vendors`, `${otc_base_url}/otc/buy`]) {
    assert.equal(await statusOf(https.get(url, options)), 200, url);
  }
  await assert.rejects(statusOf(https.get(`${base_url}/ready`, { agent: new https.Agent() })), /self-signed/);
  await assert.rejects(statusOf(http.get(`http://127.0.0.1:${home.port}/ready`)), 'plain HTTP is not served');

  const silent = connect(home.port, '127.0.0.1').on('error', () => undefined);
  t.after(() => silent.destroy());
  await once(silent, 'connect');
  assert.deepEqual(await service.stop(), { code: 0, signal: null });
});

async function statusOf(request: http.ClientRequest): Promise<number | undefined> {
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}
