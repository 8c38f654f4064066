// One line of the doctor: what was looked at, how it is, and how to mend it.

export interface Check {
  readonly area:
    | 'configuration'
    | 'database'
    | 'networks'
    | 'banks'
    | 'rates'
    | 'mail'
    | 'clock'
    | 'disk'
    | 'keys'
    | 'service';
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
  /** Null only where nothing is to be mended. */
  readonly mend: string | null;
}

export function ok(area: Check['area'], text: string): Check {
  return { area, state: 'ok', text, mend: null };
}

export function warning(area: Check['area'], text: string, mend: string): Check {
  return { area, state: 'warning', text, mend };
}

export function problem(area: Check['area'], text: string, mend: string): Check {
  return { area, state: 'problem', text, mend };
}

/** Without a stack, and in one line: `connect ECONNREFUSED 127.0.0.1:5432`. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as { readonly message?: string; readonly code?: string };
  return (message || code || String(error)).split('\n')[0]!.replace(/\.$/, '');
}
