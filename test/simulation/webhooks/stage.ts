// The data that the parts of the webhook act share. The act has a separate clock, separate randomness and separate faults, so
// that settlement in a seed does not depend on webhooks.
import type { ApiKey } from '../../../src/ports/catalogue.ts';
import type { Networks } from '../../../src/ports/networks/network.ts';
import type { Dice } from '../../support/dice.ts';
import type { Tables } from '../model/tables.ts';
import type { Tale } from '../report/tell.ts';
import type { Agenda } from '../world/agenda.ts';
import type { Faults } from '../world/faults.ts';
import type { Setting } from '../world/setting.ts';
import type { WebhookWatch } from './promises/watching.ts';
import type { Receivers } from './receivers.ts';
import type { WebhookMemory } from './store/memory.ts';

export const LEASE_MS = 20_000;

export interface WebhookStage {
  readonly seed: string;
  readonly agenda: Agenda;
  readonly dice: Dice;
  readonly faults: Faults;
  readonly tale: Tale;
  readonly memory: WebhookMemory;
  readonly networks: Networks;
  readonly receivers: Receivers;
  readonly watch: WebhookWatch;
  readonly keys: readonly ApiKey[];
  readonly catalogue: Setting['catalogue'];
  /** The maximum error of a process's clock, in both directions. */
  readonly skewMs: number;
  readonly restores: { count: number };
  readonly tables: Tables;
  readonly broken: Setting['broken'];
}
