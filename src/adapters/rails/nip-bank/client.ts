// Sends calls to a bank that makes NIP transfers and has an API like that of Providus. A call is a POST of JSON with user name
// and password in the body. Only this file knows the URL and the secrets.
import { hash } from 'node:crypto';
import { textOf } from '../../json.ts';
import {
  type BankAnswer,
  type CallLimits,
  callBank,
  hasTimeForOrder,
  lostAnswer,
  type NoAnswer,
  shareTimeLimit,
} from '../connection/call-bank.ts';
import type { NipBankSettings } from './settings.ts';

export type NipCall = 'GetNIPAccount' | 'NIPFundTransfer' | 'GetNIPTransactionStatus' | 'GetProvidusAccount';

/** A response of the bank that contains a code of its outcome. A response without a code does not count as an answer. */
export interface NipAnswer {
  readonly kind: 'answer';
  readonly code: string;
  readonly json: unknown;
}

export interface NipClient {
  /** Returns a client of the same bank with one time limit that all its calls share. */
  within(): NipClient;
  isTimeForOrder(): boolean;
  call(name: NipCall, fields: Readonly<Record<string, string>>): Promise<NipAnswer | NoAnswer>;
  /** Finds incoming money by its settlement id. The response has no outcome code. */
  findSettlement(url: string, settlementId: string): Promise<BankAnswer | NoAnswer>;
}

export function makeNipClient(settings: NipBankSettings, limits: CallLimits = settings): NipClient {
  const { baseUrl, userName, password, client } = settings;
  const headers = client === null ? {} : authHeaders(client.id, client.secret());
  return {
    within: () => makeNipClient(settings, shareTimeLimit(settings)),
    isTimeForOrder: () => hasTimeForOrder(limits, settings),
    call: async (name, fields) => {
      const body = JSON.stringify({ ...fields, userName, password: password() });
      return readNipAnswer(
        await callBank({ method: 'POST', url: `${baseUrl}/${name}`, headers, body }, limits),
      );
    },
    findSettlement: (url, settlementId) => {
      const query = new URLSearchParams({ settlement_id: settlementId });
      const path = `${url}/PiPverifyTransaction_settlementid?${query}`;
      return callBank({ method: 'GET', url: path, headers }, limits);
    },
  };
}

/** The signature is the same for every call. So it must be kept as secret as the values it is made from. */
function authHeaders(clientId: string, clientSecret: string): Readonly<Record<string, string>> {
  const signature = hash('sha512', `${clientId}:${clientSecret}`);
  return { 'client-id': clientId, 'x-auth-signature': signature };
}

/**
 * The bank sends a code only with the status 200. A response with another status may come from a proxy in front of the bank,
 * even if its body looks right.
 */
function readNipAnswer(answer: BankAnswer | NoAnswer): NipAnswer | NoAnswer {
  if (answer.kind !== 'answer') return answer;
  const { status, json } = answer;
  if (status !== 200) return lostAnswer(`the bank answers with status ${status}`);
  const code = textOf(json, 'responseCode');
  return code === null
    ? lostAnswer('the bank answers without a response code')
    : { kind: 'answer', code, json };
}
