// Addresses of the session API: the one place where a path of the console gets its parameters and its query.

type Params = Readonly<Record<string, string>>;
type Query = Readonly<Record<string, string | number | undefined>>;

export interface Address {
  readonly params?: Params;
  readonly query?: Query;
}

/** Below /console/v1: `/operator/rails/{mode}` with its parameters in place. A filter that is empty is none. */
export function fill(path: string, { params = {}, query = {} }: Address = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') given.set(name, String(value));
  return given.size === 0 ? filled : `${filled}?${given}`;
}
