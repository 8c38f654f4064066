// Reads the part of a link after the #. It contains tokens that must not reach a server, a log or the browser history. The
// tokens are removed from the URL before the first page is shown, and only the memory of this page keeps them.
import { useSyncExternalStore } from 'react';

const SECRETS = ['token', 'pending', 'problem'] as const;
export type AddressSecret = (typeof SECRETS)[number];

/** The key is the path of the page to which the tokens belong. */
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
// When a person pastes a link into an open page, only the part after the # may change. Then the browser loads no page, so this
// event reads the tokens.
window.addEventListener('popstate', takeSecretsFromAddress);

function storeSecrets(pathname: string, given: URLSearchParams): void {
  kept.set(pathname, given);
  for (const read of readers) read();
}

/** Passes a token to the next page of this application without putting it into the URL. */
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

/**
 * The tokens of the link to this page. They are kept during a sign-in that returns to the page. After that they are removed.
 */
export function useSecrets(pathname: string): URLSearchParams {
  return useSyncExternalStore(subscribe, () => kept.get(pathname) ?? NOTHING);
}
