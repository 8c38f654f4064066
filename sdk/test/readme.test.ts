// Runs the examples of README.md as a reader does: pasted into a file of a project that installed the package, against a real
// service. An example must print what its comment says, such as `console.log(x); // completed`.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { FAST } from '../../test/e2e/calls.ts';
import { startTestService } from '../../test/support/service.ts';
import { installPacked } from './support/packed.ts';

const run = promisify(execFile);
const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(({ 1: code = '', index }) => ({
  code,
  section:
    page
      .slice(0, index)
      .match(/^## .*$/gm)
      ?.at(-1) ?? '',
}));
const [client] = examples;

const service = await startTestService(FAST);
const project = await installPacked();
const env = {
  ...process.env,
  SLIPROAD_SECRET_KEY: service.business.testKey,
  SLIPROAD_URL: service.baseUrl,
  SLIPROAD_OTC_URL: service.otcBaseUrl,
  SLIPROAD_BUSINESS_ID: service.business.businessId,
  SLIPROAD_LINK_TAG: service.business.linkTag,
};

function expectedOf(code: string): RegExp {
  const lines = [...code.matchAll(/console\.log\([^\n]*?\);(?: \/\/ (.*))?$/gm)].map(([, text = '…']) =>
    text
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^\\n]+'),
  );
  return new RegExp(`^${lines.join('\\n')}\\n?$`);
}

for (const [index, { code, section }] of examples.entries()) {
  test(`README.md, ${section}, example ${index + 1}`, async () => {
    const usesClient = code !== client!.code && /\bsliproad\./.test(code);
    const file = project.write(`example-${index}.mjs`, usesClient ? `${client!.code}\n${code}` : code);
    const { stdout } = await run(process.execPath, [file], {
      cwd: path.dirname(file),
      env,
      timeout: 120_000,
    });
    assert.match(stdout, expectedOf(code));
  });
}

test('the README installs the file that npm pack writes', () => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  assert.ok(page.includes(`npm install ./sliproad-sdk-${version}.tgz`));
});

test('the README has examples of all features', () => {
  assert.ok(examples.length >= 10);
  const all = examples.map(({ code }) => code).join('\n');
  for (const call of [
    'buy(',
    'sell(',
    'waitFor(',
    'events.stream(',
    'webhooks.endpoints.create(',
    'verifyWebhook(',
  ]) {
    assert.ok(all.includes(call), call);
  }
});
