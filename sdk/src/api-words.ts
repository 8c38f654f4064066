// Types of the API that have no name in the OpenAPI document.
import type {
  EventAnswer,
  GetBankAccountAnswer,
  GetRequestAnswer,
  ListBanksAnswer,
  ListVendorsAnswer,
  Transaction,
} from './api-types.ts';

export type TransactionState = Transaction['state'];
export type Mode = Transaction['mode'];
export type Vendor = ListVendorsAnswer['VendorList'][number];
export type Bank = ListBanksAnswer['banks'][number];
export type BankAccount = GetBankAccountAnswer['account'];
export type LoggedRequest = GetRequestAnswer['request'];
export type EventType = EventAnswer['type'];
/** An event type, or a group of event types such as `transaction.*`. */
export type EventFilter = EventType | 'transaction.*' | 'refund.*' | 'webhook_endpoint.*' | 'webhook.*';
