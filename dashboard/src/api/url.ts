// Addresses of the session API: the one place where a path of the console gets its parameters and its query.

type Params = Readonly<Record<string, string>>;
type Query = Readonly<Record<string, string | number | undefined>>;

export interface Address {
  readonly params?: Params;
  readonly query?: Query;
}

/** Below /console/v1: `/operator/rails/{mode}` with its parameters in place. A filter that is empty is none. */
export function fillPath(path: string, { params = {}, query = {} }: Address = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encoded(params[name] ?? ''));
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') given.set(name, String(value));
  return given.size === 0 ? filled : `${filled}?${given}`;
}

/** What may stand in a part of a path stays as it is: a bank account has a colon, and the service takes no path with a percent sign. */
function encoded(part: string): string {
  return encodeURIComponent(part).replaceAll(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
}
