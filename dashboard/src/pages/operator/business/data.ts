// One business as the operator's session API answers, and what is asked of its settings.
import { post } from '../../../api/client.ts';
import type { Business } from '../businesses/data.ts';

export interface BusinessAnswer {
  readonly business: Business;
  readonly default_wallet: { readonly network: string; readonly wallet_address: string } | null;
  readonly members: readonly { readonly email: string; readonly name: string; readonly role: string }[];
  readonly keys: readonly {
    readonly key_id: string;
    readonly mode: string;
    readonly hint: string;
    readonly revoked_at: string | null;
  }[];
}

export interface SettingAnswer {
  /** False: it waits for a second person. */
  readonly done: boolean;
}

export function changeSetting(path: string, body: object): Promise<SettingAnswer> {
  return post<SettingAnswer>(`/operator/settings${path}`, body);
}

export function saidOf({ done }: SettingAnswer): string {
  return done ? 'Done' : 'Proposed: another person approves it';
}
