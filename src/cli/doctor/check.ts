// The result of one check of `sliproad doctor`: its area, its outcome, and how to fix a problem.

export interface DoctorCheck {
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
  /** How to fix the problem; null only if there is nothing to fix. */
  readonly fix: string | null;
}

export function okCheck(area: DoctorCheck['area'], text: string): DoctorCheck {
  return { area, state: 'ok', text, fix: null };
}

export function warningCheck(area: DoctorCheck['area'], text: string, fix: string): DoctorCheck {
  return { area, state: 'warning', text, fix };
}

export function problemCheck(area: DoctorCheck['area'], text: string, fix: string): DoctorCheck {
  return { area, state: 'problem', text, fix };
}

/** The reason of an error in one line without a stack, for example `connect ECONNREFUSED 127.0.0.1:5432`. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as { readonly message?: string; readonly code?: string };
  return (message || code || String(error)).split('\n')[0]!.replace(/\.$/, '');
}
