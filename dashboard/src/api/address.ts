// What a link carries after its #: tokens that must reach no server, no log and no history. They are taken out of the address
// before the first page is shown, and are kept in the memory of this page alone.
import { useSyncExternalStore } from 'react';

const SECRETS = ['token', 'pending', 'problem'] as const;
export type AddressSecret = (typeof SECRETS)[number];

/** By the path of the page that they are for. */
const kept = new Map<string, URLSearchParams>();
const readers = new Set<() => void>();
const NOTHING = new URLSearchParams();

function takeSecretsFromAddress(): void {
  const { pathname, search, hash } = window.location;
  const given = new URLSearchParams(hash.slice(1));
  if (!SECRETS.some((name) => given.has(name))) return;
  window.history.replaceState(window.history.state, '', pathname + search);
  storeSecrets(pathname, given);
}

takeSecretsFromAddress();
// A link that is pasted into an open page changes the part after the # and loads nothing.
window.addEventListener('popstate', takeSecretsFromAddress);

function storeSecrets(pathname: string, given: URLSearchParams): void {
  kept.set(pathname, given);
  for (const read of readers) read();
}

/** For a page of this application that is opened next, without an address that has the token. */
export function passSecretTo(pathname: string, name: AddressSecret, value: string): void {
  storeSecrets(pathname, new URLSearchParams({ [name]: value }));
}

export function forgetSecrets(pathname: string): void {
  storeSecrets(pathname, NOTHING);
}

function subscribe(read: () => void): () => void {
  readers.add(read);
  return () => readers.delete(read);
}

/** What the link to this page had. It survives a sign-in on the way back to the page, and nothing else. */
export function useSecrets(pathname: string): URLSearchParams {
  return useSyncExternalStore(subscribe, () => kept.get(pathname) ?? NOTHING);
}
