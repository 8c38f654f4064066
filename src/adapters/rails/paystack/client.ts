// Sends calls to Paystack. Only this file knows the URL and the key.
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
import type { PaystackSettings } from './settings.ts';

/**
 * The response has `status: true` with the data, or `status: false` with the error. Any other response does not count as an
 * answer.
 */
export type PaystackAnswer =
  | { readonly kind: 'done'; readonly data: unknown; readonly meta: unknown }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** The error code, or the message if there is no code. */
      readonly code: string | null;
    };

export interface PaystackClient {
  /** Returns a client of the same account with one time limit that all its calls share. */
  within(): PaystackClient;
  isTimeForOrder(): boolean;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<PaystackAnswer | NoAnswer>;
  post(path: string, body: object): Promise<PaystackAnswer | NoAnswer>;
}

export function makePaystackClient(
  settings: PaystackSettings,
  limits: CallLimits = settings,
): PaystackClient {
  const { baseUrl, secretKey } = settings;
  const headers = () => ({ authorization: `Bearer ${secretKey()}` });
  return {
    within: () => makePaystackClient(settings, shareTimeLimit(settings)),
    isTimeForOrder: () => hasTimeForOrder(limits, settings),
    get: async (path, query = {}) => {
      const text = new URLSearchParams(query).toString();
      const url = `${baseUrl}${path}${text === '' ? '' : `?${text}`}`;
      return readPaystackAnswer(await callBank({ method: 'GET', url, headers: headers() }, limits));
    },
    post: async (path, body) => {
      const call = { method: 'POST', url: `${baseUrl}${path}`, body: JSON.stringify(body) } as const;
      return readPaystackAnswer(await callBank({ ...call, headers: headers() }, limits));
    },
  };
}

function readPaystackAnswer(answer: BankAnswer | NoAnswer): PaystackAnswer | NoAnswer {
  if (answer.kind !== 'answer') return answer;
  const { status, json } = answer;
  const said = fieldOf(json, 'status');
  if (said === true && status < 300)
    return { kind: 'done', data: fieldOf(json, 'data'), meta: fieldOf(json, 'meta') };
  if (said === false && status >= 400)
    return { kind: 'refused', status, code: textOf(json, 'code') ?? textOf(json, 'message') };
  return lostAnswer(`Paystack answers with status ${status} in a form that is not documented`);
}
