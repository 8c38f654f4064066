// Time-based one-time passwords (RFC 6238) with the parameters that every authenticator app supports: SHA-1, six digits, 30
// seconds.
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Totp } from '../../ports/people/credentials.ts';

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** A clock may be up to half a minute fast or slow. */
const WINDOW = 1;

export function makeTotp(issuer: string): Totp {
  const generator = (secret: Uint8Array, label: string) =>
    new TOTP({
      issuer,
      label,
      secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
      algorithm: 'SHA1',
      digits: 6,
      period: PERIOD_SECONDS,
    });
  return {
    newSecret: () => randomBytes(SECRET_BYTES),
    secretText: (secret) => new Secret({ buffer: Uint8Array.from(secret).buffer }).base32,
    uri: (secret, email) => generator(secret, email).toString(),
    stepOf: (secret, code, atMs) => {
      if (!/^\d{6}$/.test(code)) return undefined;
      const delta = generator(secret, '').validate({ token: code, timestamp: atMs, window: WINDOW });
      return delta === null ? undefined : BigInt(Math.floor(atMs / 1_000 / PERIOD_SECONDS) + delta);
    },
  };
}
