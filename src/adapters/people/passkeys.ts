// Passkeys with WebAuthn, verified by a dedicated library. User verification is required: the authenticator asks for a PIN, a
// fingerprint or a face. So a lost or stolen key is not enough to sign in.
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { PasskeyAnswer, Passkeys } from '../../ports/people/credentials.ts';

export interface PasskeySettings {
  /** The host name of the dashboard. A passkey works only for the host name for which it was created. */
  readonly host: string;
  readonly origin: string;
  readonly name: string;
}

/** ES256, EdDSA and RS256. Common authenticators support them, and Node verifies them without experimental features. */
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

/** The library is loaded at first use, because it has many modules and few processes need it. */
function loadLibrary() {
  return import('@simplewebauthn/server');
}

/** The library throws for every invalid response. Here an invalid response is a normal outcome. */
async function undefinedIfInvalid<T>(verification: Promise<T>): Promise<T | undefined> {
  try {
    return await verification;
  } catch {
    return undefined;
  }
}
