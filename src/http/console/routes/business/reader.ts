// The business and mode that a console request looks at.
import type { Reader } from '../../../../app/input/caller.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import type { BusinessCall } from '../../route.ts';

/** Undefined: the mode in the path is none. */
export function readerOf({ businessId, params }: BusinessCall): Reader | undefined {
  const { mode = '' } = params;
  return isMode(mode) ? { key: { business: { id: businessId }, mode } } : undefined;
}
