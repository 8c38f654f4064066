// Registers and uses passkeys in the browser. The error messages tell the person what to do next.
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type { AskForPasskeyAnswer } from './console-types.ts';
import { ApiFailure } from './failure.ts';

type PasskeyOptions = AskForPasskeyAnswer['options'];

export function authenticateWithPasskey(options: PasskeyOptions) {
  return withReadableError(() => startAuthentication({ optionsJSON: options as never }));
}

export function createPasskey(options: PasskeyOptions) {
  return withReadableError(() => startRegistration({ optionsJSON: options as never }));
}

/**
 * Returns the URL of this page with a host name, because browsers do not allow passkeys at an IP address. Null means that
 * passkeys already work at this address.
 */
export function hostNameUrl(): string | null {
  const { hostname, href, host } = window.location;
  if (!/^(\d+(\.\d+){3}|\[.*\])$/.test(hostname)) return null;
  return href.replace(host, host.replace(hostname, 'localhost'));
}

const WORDS: Readonly<Record<string, string>> = {
  NotAllowedError: 'The passkey request was cancelled or timed out. Try again.',
  InvalidStateError: 'This device already has a passkey for this account. Use another device.',
  SecurityError: 'Passkeys do not work at this address. Open the dashboard at its domain name, over HTTPS.',
  NotSupportedError: 'This device cannot create a passkey for this service. Use another device.',
};

async function withReadableError<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { name, message } = error as Error;
    throw new ApiFailure(-1, { code: 'no_passkey', message: WORDS[name] ?? message });
  }
}
