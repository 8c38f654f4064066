// A start with wrong settings is refused in words an operator can act on, without repeating addresses that hold keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountFields,
  ISSUER,
  makeChain,
  makeView,
  TREASURY,
  type View,
} from '../../../../test/contract/stellar-fixtures.ts';
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

test('the settings must fit the network, at every server that answers', async () => {
  assert.equal(await refusal([makeView(), makeView({ down: true })]), 'started');
  assert.match(await refusal([makeView()], { decimals: 6 }), /7 decimals here, the settings say 6/);
  assert.match(await refusal([makeView()], { native: { asset: 'XLM', decimals: 18 } }), /settings say 18/);
  const elsewhere = makeView({ passphrase: 'another network' });
  assert.match(await refusal([makeView(), elsewhere]), /at server-1.test the network is "another network"/);
  assert.match(
    await refusal([makeView({ down: true })]),
    /no provider answers \(server-0.test: this server is down\)/,
  );
});

test('issuer, treasury and trustline must be there, and the key must be able to pay', async () => {
  const view = makeView();
  view.at.delete(`/accounts/${ISSUER}`);
  assert.match(await refusal([view]), /the issuer G\w+ of NGNC does not exist/);
  assert.match(await refusal(withTreasury(undefined)), /treasury account G\w+ does not exist/);
  const fields = (options: Parameters<typeof accountFields>[1]) =>
    withTreasury(accountFields(TREASURY, options));
  assert.match(await refusal(fields({ trusts: false })), /no trustline for NGNC/);
  assert.match(await refusal(fields({ authorised: false })), /not authorised/);
  assert.match(await refusal(fields({ weight: 0 })), /may not pay: it weighs 0/);
});

test('an account that does not ask for a memo is a warning that says what to do', async () => {
  const chain = makeChain(withTreasury(accountFields(TREASURY)));
  await checkStart(chain);
  assert.match(
    chain.troubles.join(),
    /Set config\.memo_required with: bin\/sliproad networks set-up Stellar --mode test/,
  );
});
