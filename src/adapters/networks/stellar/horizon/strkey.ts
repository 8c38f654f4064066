// The Stellar SDK's own codec for addresses and nothing else of it: the lightest public entry costs about 400
// ms and 55 MB at start, this file of it 13 ms.
import type { StrKey as StrKeyClass } from '@stellar/stellar-sdk/base';

// A file inside the pinned package: should a new version move it, the start fails at once, and so do the
// tests.
const entry = import.meta.resolve('@stellar/stellar-sdk/base');
const sdk = (await import(new URL('./strkey.js', entry).href)) as { StrKey: typeof StrKeyClass };

export const StrKey = sdk.StrKey;
