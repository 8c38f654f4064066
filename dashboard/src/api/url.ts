// Builds the URLs of the session API. It fills the parameters of a path and adds the query.

type Params = Readonly<Record<string, string>>;
type Query = Readonly<Record<string, string | number | undefined>>;

export interface Address {
  readonly params?: Params;
  readonly query?: Query;
}

/**
 * Fills the parameters of a path below /console/v1, such as `/operator/rails/{mode}`. An empty filter is left out of the query.
 */
export function fillPath(path: string, { params = {}, query = {} }: Address = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encoded(params[name] ?? ''));
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') given.set(name, String(value));
  return given.size === 0 ? filled : `${filled}?${given}`;
}

/**
 * Encodes only the necessary characters. A bank account contains a colon, and the service refuses a path that contains a
 * percent sign.
 */
function encoded(part: string): string {
  return encodeURIComponent(part).replaceAll(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
}
