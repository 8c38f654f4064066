// What the service needs of its database, in its own words: five parts, so that a use-case asks for what it uses.
import type { AcceptanceStore } from './acceptance.ts';
import type { CommitStore } from './commit.ts';
import type { EndedPayoutStore } from './ended-payouts.ts';
import type { QueueStore } from './queues.ts';
import type { ReadStore } from './reads.ts';

export interface Store extends AcceptanceStore, CommitStore, QueueStore, ReadStore, EndedPayoutStore {}
