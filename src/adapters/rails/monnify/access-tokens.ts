// Gets the access token of Monnify by a log-in with the keys. The token is used until shortly before it expires, and is never
// logged. Concurrent calls share one log-in.
import type { Clock } from '../../../ports/clock.ts';
import { fieldOf, textOf, wholeOf } from '../../json.ts';
import { type BankAnswer, callBank, lostAnswer, type NoAnswer } from '../connection/call-bank.ts';
import type { MonnifySettings } from './settings.ts';

export interface AccessToken {
  readonly kind: 'token';
  readonly text: string;
  readonly untilMs: number;
}

export interface AccessTokens {
  get(): Promise<AccessToken | NoAnswer>;
  drop(refused: AccessToken): void;
}

/** The token is renewed this long before it expires, because Monnify would refuse a token that expires during a call. */
const MARGIN_MS = 60_000;
const LONGEST_MS = 86_400_000;
const HEADER_TEXT = /^[\x21-\x7e]{1,8192}$/;

export function makeAccessTokens(settings: MonnifySettings, clock: Clock): AccessTokens {
  let known: AccessToken | undefined;
  let underWay: Promise<AccessToken | NoAnswer> | undefined;
  return {
    get: async () => {
      if (known !== undefined && clock.now() < known.untilMs) return known;
      underWay ??= logIn(settings, clock.now()).finally(() => {
        underWay = undefined;
      });
      const token = await underWay;
      if (token.kind === 'token') known = token;
      return token;
    },
    drop: (refused) => {
      if (known === refused) known = undefined;
    },
  };
}

async function logIn(settings: MonnifySettings, nowMs: number): Promise<AccessToken | NoAnswer> {
  const { baseUrl, apiKey, secretKey } = settings;
  const keys = Buffer.from(`${apiKey()}:${secretKey()}`).toString('base64');
  const answer = await callBank(
    {
      method: 'POST',
      url: `${baseUrl}/api/v1/auth/login`,
      headers: { authorization: `Basic ${keys}` },
      body: '{}',
    },
    settings,
  );
  if (answer.kind !== 'answer') return answer;
  return tokenIn(answer, nowMs) ?? lostAnswer(`Monnify refuses to log us in (status ${answer.status})`);
}

function tokenIn({ status, json }: BankAnswer, nowMs: number): AccessToken | undefined {
  const text = textOf(json, 'responseBody', 'accessToken');
  const seconds = wholeOf(json, 'responseBody', 'expiresIn');
  if (status !== 200 || fieldOf(json, 'requestSuccessful') !== true) return undefined;
  if (text === null || seconds === null || !HEADER_TEXT.test(text)) return undefined;
  const lastsMs = Math.min(Number(seconds) * 1_000, LONGEST_MS);
  return { kind: 'token', text, untilMs: nowMs + lastsMs - MARGIN_MS };
}
