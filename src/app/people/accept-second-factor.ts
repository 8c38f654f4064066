// Checks a second factor of a person and uses it up. The service accepts no code and no response of an authenticator twice
// (threat 82). The caller must already have counted the try.
import { createHash } from 'node:crypto';
import type { PasskeyAnswer } from '../../ports/people/credentials.ts';
import { type PeopleDeps, totpPurpose } from './people-deps.ts';

// A recovery code has 80 bits, is shown once and is stored as a hash. Each code allows one sign-in, and no code can release
// money.
const RECOVERY_CODE_COUNT = 10;
const RECOVERY_CODE_LENGTH = 16;
/** There are 32 characters, so that one byte modulo 32 gives one character without bias. No character looks like another. */
const RECOVERY_CODE_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

export function makeRecoveryCodes({ entropy }: Pick<PeopleDeps, 'entropy'>): readonly string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    [...entropy.bytes(RECOVERY_CODE_LENGTH)]
      .map((byte) => RECOVERY_CODE_LETTERS[byte % RECOVERY_CODE_LETTERS.length])
      .join('')
      .replaceAll(/.{4}(?=.)/g, '$&-'),
  );
}

/**
 * People type recovery codes. So case, dashes and blanks are ignored, and a letter that looks like a digit counts as that
 * digit.
 */
export function hashRecoveryCode(code: string): string {
  const plain = code
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
  return createHash('sha256').update(plain).digest('base64url');
}

export type SecondFactor =
  | { readonly kind: 'totp'; readonly code: string }
  | { readonly kind: 'recovery_code'; readonly code: string }
  | { readonly kind: 'passkey'; readonly answer: PasskeyAnswer };

/** `challenge` is the challenge that a passkey had to sign. The caller has already removed it from the store. */
export async function acceptSecondFactor(
  deps: PeopleDeps,
  personId: string,
  factor: SecondFactor,
  challenge: string | null,
): Promise<boolean> {
  const atMs = deps.clock.now();
  switch (factor.kind) {
    case 'totp': {
      const stored = await deps.signIn.totpOf(personId, 'confirmed');
      if (stored === undefined) return false;
      const step = findTotpStep(deps, personId, stored.sealed, factor.code);
      return step !== undefined && (await deps.signIn.acceptTotpStep(personId, stored.fingerprint, step));
    }
    case 'recovery_code': {
      const doing = { actor: personId, atMs };
      return deps.signIn.useRecoveryCode(personId, hashRecoveryCode(factor.code), doing);
    }
    case 'passkey': {
      if (challenge === null) return false;
      const passkey = await deps.signIn.passkey(factor.answer.id);
      if (passkey === undefined || passkey.personId !== personId) return false;
      const verified = await deps.passkeys.verifySignIn(factor.answer, challenge, passkey);
      if (verified === undefined) return false;
      return deps.signIn.usePasskey(passkey.credentialId, verified.signCount, atMs);
    }
  }
}

/** Returns the time step of a code. People may type a blank in the middle of the code. */
export function findTotpStep(
  deps: PeopleDeps,
  personId: string,
  sealed: string,
  code: string,
): bigint | undefined {
  const secret = deps.box.unseal(sealed, totpPurpose(personId));
  return deps.totp.stepOf(secret, code.replaceAll(' ', ''), deps.clock.now());
}
