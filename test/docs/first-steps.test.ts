// Tests what a new user pastes first: a shell runs the commands of README.md and of the home page in order.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { FAST } from '../e2e/calls.ts';
import { type Shown, settled } from '../e2e/settled.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService(FAST);
const { businessId, linkTag, testKey } = service.business;
const run = promisify(execFile);
const skip = await run('curl', ['--version']).then(
  () => false as const,
  () => 'curl is not installed',
);

async function paste(commands: string): Promise<Shown[]> {
  const here = commands
    .replaceAll(/^(KEY|BUSINESS|TAG)=.*\n/gm, '')
    .replaceAll(/^curl /gm, 'echo; curl --fail-with-body ')
    .replaceAll('localhost:4001', service.otcBaseUrl)
    .replaceAll('localhost:4000', service.baseUrl);
  const env = { ...process.env, KEY: testKey, BUSINESS: businessId, TAG: linkTag };
  const { stdout } = await run('sh', ['-ec', here], { env });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

async function completed(reference: string): Promise<Shown> {
  const { body } = await service.get(`/transactions/v1?reference=${reference}`);
  return settled(service, body.transactions[0].transaction_id, { states: ['completed'] });
}

test('README.md: a buy and a sell complete', { skip }, async () => {
  const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const steps = page.slice(page.indexOf('## Your first buy'), page.indexOf('## Events and webhooks'));
  const blocks = [...steps.matchAll(/```sh\n(.*?)```/gs)].map(([, text = '']) => text);
  const answers = await paste(blocks.join('\n'));
  assert.equal(answers.length, 13);
  for (const reference of ['order-1001', 'sale-2001']) {
    const { tx_hash, exception } = await completed(reference);
    assert.deepEqual([typeof tx_hash, exception], ['string', null]);
  }
  assert.equal(answers.at(-1)?.quote.state, 'open', 'the last one is a quote');
  const [short] = answers.filter(({ transaction }) => transaction?.amount === 30000);
  await settled(service, short!.transaction.transaction_id, { states: ['completed'] });
});

test('the home page: the buy that it shows completes, even when it is pasted twice', { skip }, async () => {
  const { text } = await service.get('/', { key: null });
  const blocks = [...text.matchAll(/<ol>.*<\/ol>/gs)].flatMap(([steps]) => [
    ...steps.matchAll(/<code>(.*?)<\/code><\/pre>/gs),
  ]);
  const commands = blocks.map(([, block = '']) =>
    block
      .replace(/^.*<code>/s, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&'),
  );
  assert.equal(commands.length, 4);
  // The page contains the configured address, but the service of this test listens on another address.
  const here = commands.join('\n').replaceAll(/http:\/\/[^/"]+/g, service.baseUrl);
  await paste(here);
  assert.ok((await completed('first-buy')).tx_hash);
  await paste(here);
  const credits = await service.foundation.database.query({
    text: `select from bank_credits where amount_minor = 2000000`,
  });
  assert.equal(credits.rows.length, 1);
});
