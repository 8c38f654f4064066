// Tests that a start with wrong settings is refused. The message helps the operator and contains no URL with a key.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
  accountFields,
  ISSUER,
  makeChain,
  makeView,
  TREASURY,
  type View,
} from '../../../../test/contract/stellar/stellar-fixtures.ts';
import { makeProviders } from '../providers/providers.ts';
import { connectHorizon } from './horizon/horizon.ts';
import { checkStart } from './start-checks.ts';

type Changes = Parameters<typeof makeChain>[1];

async function refusal(views: readonly View[], changes: Changes = {}): Promise<string> {
  try {
    await checkStart(makeChain(views, changes));
  } catch (error) {
    const { message } = error as Error;
    assert.doesNotMatch(message, /secret|\/key/);
    return message;
  }
  return 'started';
}

const withTreasury = (fields: ReturnType<typeof accountFields> | undefined) => {
  const view = makeView();
  if (fields === undefined) view.at.delete(`/accounts/${TREASURY}`);
  else view.at.set(`/accounts/${TREASURY}`, fields);
  return [view];
};

test('the settings must match the network at every server that responds', async () => {
  assert.equal(await refusal([makeView(), makeView({ down: true })]), 'started');
  assert.match(await refusal([makeView()], { decimals: 6 }), /7 decimals here, but the settings say 6/);
  assert.match(await refusal([makeView()], { native: { asset: 'XLM', decimals: 18 } }), /settings say 18/);
  const elsewhere = makeView({ passphrase: 'another network' });
  assert.match(await refusal([makeView(), elsewhere]), /at server-1.test the network is "another network"/);
  assert.match(
    await refusal([makeView({ down: true })]),
    /no provider answers \(server-0.test: this server is down\)/,
  );
});

test('threat 42: a server is refused if its responses name no ledger, because they could not be used as a proof', async () => {
  assert.match(await refusal([makeView({ stated: null })]), /header Latest-Ledger is missing/);
});

test('issuer, treasury and trustline must exist, and the key must be able to pay', async () => {
  const view = makeView();
  view.at.delete(`/accounts/${ISSUER}`);
  assert.match(await refusal([view]), /the issuer G\w+ of NGNC does not exist/);
  assert.match(await refusal(withTreasury(undefined)), /treasury account G\w+ does not exist/);
  const fields = (options: Parameters<typeof accountFields>[1]) =>
    withTreasury(accountFields(TREASURY, options));
  assert.match(await refusal(fields({ trusts: false })), /no trustline for NGNC/);
  assert.match(await refusal(fields({ authorised: false })), /not authorised/);
  assert.match(await refusal(fields({ weight: 0 })), /may not pay alone: its weight is 0,/);
});

test('an issuer that can take back or freeze tokens causes a warning, or a refusal if the settings say so', async () => {
  const flags = (set: Record<string, boolean>) => {
    const view = makeView();
    view.at.set(`/accounts/${ISSUER}`, { ...accountFields(ISSUER, { trusts: false }), flags: set });
    return view;
  };
  const warnings = async (view: View) => {
    const chain = makeChain([view]);
    await checkStart(chain);
    return chain.troubles.join();
  };
  const refuse = { issuerControl: 'refuse' } as const;
  assert.equal(await warnings(flags({ auth_required: true })), '');
  const clawback = flags({ auth_clawback_enabled: true });
  assert.match(await warnings(clawback), /the issuer can take back what the treasury holds \(clawback\)/);
  assert.match(await refusal([clawback], refuse), /at server-0.test the issuer can take back/);
  const revocable = flags({ auth_revocable: true });
  assert.match(await warnings(revocable), /the issuer can freeze what the treasury holds/);
  assert.match(await refusal([makeView(), revocable], refuse), /at server-1.test the issuer can freeze/);
  const [line] = withTreasury(accountFields(TREASURY, { clawback: true, memoRequired: true }));
  assert.match(await warnings(line!), /can take back/);
  assert.equal(await refusal([flags({})], refuse), 'started');
});

test('the message says when the server at a URL is not a Horizon server', async (t) => {
  const chain = makeChain([makeView()]);
  const answering = (status: number, body: string) =>
    createServer((_, response) => response.writeHead(status).end(body));
  for (const [status, body, reason] of [
    [
      200,
      '<html>Welcome</html>',
      /\(there is no Horizon server at this URL: 127.0.0.1:\d+ answered with something that is not a JSON object/,
    ],
    [
      200,
      '{"jsonrpc":"2.0"}',
      /127.0.0.1:\d+: there is no Horizon server at this URL: network_passphrase is not a text/,
    ],
    [404, 'not here', /no Horizon server at this URL: 127.0.0.1:\d+ answered 404/],
    [401, '{}', /answers \(127.0.0.1:\d+ answered 401\)/],
    [503, '{}', /answers \(127.0.0.1:\d+ answered 503\)/],
  ] as const) {
    const server = answering(status, body);
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`;
    const providers = makeProviders([url], connectHorizon, { clock: chain.clock, onTrouble: () => {} });
    const settings = { ...chain.settings, rpc: [url] };
    try {
      await assert.rejects(checkStart({ ...chain, settings, providers }), ({ message }: Error) => {
        assert.doesNotMatch(message, /secret/);
        return reason.test(message);
      });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }
});

test('a treasury that does not require a memo causes a warning with the command to fix it', async () => {
  const chain = makeChain(withTreasury(accountFields(TREASURY)));
  await checkStart(chain);
  assert.match(
    chain.troubles.join(),
    /Set config\.memo_required with: bin\/sliproad networks set-up Stellar --mode test/,
  );
});
