// Sends calls to Monnify: adds the token and reads the common envelope of the responses. Only this file and access-tokens.ts
// know the URL.
import type { Clock } from '../../../ports/clock.ts';
import { fieldOf, textOf } from '../../json.ts';
import {
  type BankAnswer,
  type CallLimits,
  callBank,
  hasTimeForOrder,
  lostAnswer,
  type NoAnswer,
  shareTimeLimit,
} from '../connection/call-bank.ts';
import { type AccessToken, type AccessTokens, makeAccessTokens } from './access-tokens.ts';
import type { MonnifySettings } from './settings.ts';

export interface MonnifyCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type MonnifyAnswer =
  | { readonly kind: 'done'; readonly body: unknown }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string | null;
      readonly message: string | null;
    };

export interface MonnifyClient {
  /** Returns a client of the same account with one time limit that all its calls share. */
  within(): MonnifyClient;
  isTimeForOrder(): boolean;
  /** `not_sent` means that there was no connection or no token, so the call itself was not sent. */
  call(call: MonnifyCall): Promise<MonnifyAnswer | NoAnswer>;
}

export function makeMonnifyClient(settings: MonnifySettings, clock: Clock): MonnifyClient {
  return makeClientWithLimits(settings, makeAccessTokens(settings, clock), settings);
}

function makeClientWithLimits(
  settings: MonnifySettings,
  tokens: AccessTokens,
  limits: CallLimits,
): MonnifyClient {
  const send = ({ method, path, query, body }: MonnifyCall, token: AccessToken) => {
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
    const url = `${settings.baseUrl}${path}${search}`;
    const headers = { authorization: `Bearer ${token.text}` };
    return callBank({ method, url, headers, ...(body !== undefined && { body }) }, limits);
  };
  return {
    within: () => makeClientWithLimits(settings, tokens, shareTimeLimit(settings)),
    isTimeForOrder: () => hasTimeForOrder(limits, settings),
    call: async (call) => {
      const token = await tokens.get();
      if (token.kind !== 'token') return { kind: 'not_sent', reason: token.reason };
      const first = await send(call, token);
      if (first.kind !== 'answer' || first.status !== 401) return readMonnifyAnswer(first);
      // The token expired early. The call was sent, so from here on its outcome is never `not_sent`.
      tokens.drop(token);
      const fresh = await tokens.get();
      if (fresh.kind !== 'token') return lostAnswer(fresh.reason);
      const second = await send(call, fresh);
      return second.kind === 'not_sent' ? lostAnswer(second.reason) : readMonnifyAnswer(second);
    },
  };
}

function readMonnifyAnswer(answer: BankAnswer | NoAnswer): MonnifyAnswer | NoAnswer {
  if (answer.kind !== 'answer') return answer;
  const { status, json } = answer;
  const succeeded = fieldOf(json, 'requestSuccessful');
  if (status === 401) return lostAnswer('Monnify refuses the access token (status 401)');
  if (succeeded === true && status < 300) return { kind: 'done', body: fieldOf(json, 'responseBody') };
  if (succeeded !== false)
    return lostAnswer(`Monnify answers with status ${status}, not in its documented form`);
  return {
    kind: 'refused',
    status,
    code: textOf(json, 'responseCode'),
    message: textOf(json, 'responseMessage'),
  };
}
