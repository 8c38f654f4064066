// Turns Node's tracking of promises on and off. The test runner follows every promise, to know the suite of a test that is
// declared after an await, and the test that caused an unhandled error. That takes a sixth of the time of tests with a
// database. A group of files needs it only while a file is imported. Import this module before `node:test`, which reads
// `createHook` when it is loaded.
import hooks, { type AsyncHook, type HookCallbacks } from 'node:async_hooks';

const { createHook } = hooks;
let ofRunner: AsyncHook | undefined;
hooks.createHook = (callbacks: HookCallbacks) => {
  const hook = createHook(callbacks);
  ofRunner ??= hook;
  return hook;
};

/** Call this before a suite is declared. */
export function followPromises(): void {
  ofRunner?.enable();
}

/** Call this when all tests of the suite are declared. */
export function stopFollowing(): void {
  ofRunner?.disable();
}
