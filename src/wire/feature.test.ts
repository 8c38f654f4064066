// Tests the order in which a service is closed, and what is closed if a feature fails to open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeTogether, makeCloseStack, openInSteps } from './close-stack.ts';
import { type OpenFeature, openFeatures, type ServiceParts } from './feature.ts';

const PARTS = {} as ServiceParts;

function recorder() {
  const done: string[] = [];
  const step = (name: string) => async () => {
    done.push(name);
  };
  const feature =
    (name: string): OpenFeature =>
    () => {
      done.push(`open ${name}`);
      return {
        routes: [{ server: 'main', add: () => done.push(`route of ${name}`) }],
        loops: [{ stop: step(`stop ${name}`) }],
        close: step(`close ${name}`),
      };
    };
  return { done, step, feature };
}

test('loops stop before anything is closed, and features close in the reverse order', async () => {
  const { done, step, feature } = recorder();
  const closing = makeCloseStack();
  closing.add(step('close the database'));
  const routes = await openFeatures([feature('a'), async () => ({}), feature('b')], PARTS, closing);
  assert.equal(routes.length, 2);
  closing.add(step('close the servers'));
  done.length = 0;
  await closing.close();
  const expected = ['close the servers', 'stop a', 'stop b', 'close b', 'close a', 'close the database'];
  assert.deepEqual(done, expected);
});

test('if a feature fails to open, the features opened before it are closed, and no later one is opened', async () => {
  const { done, step, feature } = recorder();
  const failing: OpenFeature = async () => {
    throw new Error('no such file');
  };
  const opening = openInSteps(async (closing) => {
    closing.add(step('close the database'));
    return openFeatures([feature('a'), failing, feature('b')], PARTS, closing);
  });
  await assert.rejects(opening, /no such file/);
  assert.deepEqual(done, ['open a', 'stop a', 'close a', 'close the database']);
});

test('a failed step does not stop the others, and the first failure is reported at the end', async () => {
  const { done, step } = recorder();
  const fail = (message: string) => () => Promise.reject(new Error(message));
  const closing = makeCloseStack();
  closing.add(step('last'));
  closing.add(() => closeTogether([fail('second'), step('beside')]));
  closing.add(() => {
    throw new Error('first');
  });
  await assert.rejects(closing.close(), /first/);
  assert.deepEqual(done, ['beside', 'last']);
  const opening = openInSteps(async (steps) => {
    steps.add(fail('while closing'));
    throw new Error('while opening');
  });
  await assert.rejects(opening, /while opening/);
});
