// Loads only the address codec of the Stellar SDK. Loading the smallest public entry of the SDK takes about 400 ms and 55 MB at
// the start. This file takes 13 ms.
import type { StrKey as StrKeyClass } from '@stellar/stellar-sdk/base';

// This is a file inside the pinned package. If a new version moves it, the start and the tests fail at once.
const entry = import.meta.resolve('@stellar/stellar-sdk/base');
const sdk = (await import(new URL('./strkey.js', entry).href)) as { StrKey: typeof StrKeyClass };

export const StrKey = sdk.StrKey;
