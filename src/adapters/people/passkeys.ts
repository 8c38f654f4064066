// Passkeys by WebAuthn, verified by a library made for it. User verification is required: the authenticator itself asks for a
// PIN, a finger or a face, so that a key that was left on a desk is not enough.
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { PasskeyAnswer, Passkeys } from '../../ports/people/credentials.ts';

export interface PasskeySettings {
  /** The host name of the pages: keys made for one are of no use at another. */
  readonly host: string;
  readonly origin: string;
  readonly name: string;
}

/** ES256, EdDSA and RS256: what authenticators in use have, and Node verifies without experiments. */
const ALGORITHMS = [-7, -8, -257];

export function makePasskeys({ host, origin, name }: PasskeySettings): Passkeys {
  const expected = { expectedOrigin: origin, expectedRPID: host, requireUserVerification: true };
  return {
    registrationOptions: async (person) =>
      (await loadLibrary()).generateRegistrationOptions({
        rpName: name,
        rpID: host,
        userID: Uint8Array.from(Buffer.from(person.id)),
        userName: person.email,
        userDisplayName: person.name,
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: person.existing.map((id) => ({ id })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      }),
    verifyRegistration: async (answer, challenge) => {
      const response = answer as unknown as RegistrationResponseJSON;
      const { verifyRegistrationResponse } = await loadLibrary();
      const result = await undefinedIfInvalid(
        verifyRegistrationResponse({
          ...expected,
          response,
          expectedChallenge: challenge,
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      );
      if (result === undefined || !result.verified) return undefined;
      const { id, publicKey, counter } = result.registrationInfo.credential;
      const transports = response.response?.transports ?? [];
      return { credentialId: id, publicKey, signCount: counter, transports };
    },
    signInOptions: async (allowed) =>
      (await loadLibrary()).generateAuthenticationOptions({
        rpID: host,
        userVerification: 'required',
        allowCredentials: allowed.map((id) => ({ id })),
      }),
    verifySignIn: async (answer: PasskeyAnswer, challenge, passkey) => {
      const { verifyAuthenticationResponse } = await loadLibrary();
      const result = await undefinedIfInvalid(
        verifyAuthenticationResponse({
          ...expected,
          response: answer as unknown as AuthenticationResponseJSON,
          expectedChallenge: challenge,
          credential: {
            id: passkey.credentialId,
            publicKey: Uint8Array.from(passkey.publicKey),
            counter: passkey.signCount,
            transports: [...passkey.transports] as AuthenticatorTransport[],
          },
        }),
      );
      return result?.verified === true ? { signCount: result.authenticationInfo.newCounter } : undefined;
    },
  };
}

/** Loaded at the first use: it has as many modules as the rest of the service has libraries, and few processes need it. */
function loadLibrary() {
  return import('@simplewebauthn/server');
}

/** The library throws for every answer that is not right: here that is an outcome. */
async function undefinedIfInvalid<T>(verification: Promise<T>): Promise<T | undefined> {
  try {
    return await verification;
  } catch {
    return undefined;
  }
}
