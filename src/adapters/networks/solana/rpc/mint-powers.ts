// What the issuer of a token can do to those who hold it, as its mint says: the extensions of the newer token program and the
// freeze authority. What makes the token unusable here is refused; what could take tokens or make amounts inexact is refused
// unless the settings accept it by name; the rest is said.
export interface MintPowers {
  /** With these the token cannot be served at all. */
  readonly refused: readonly string[];
  /** With these only where the settings say so: by name, and what it means. */
  readonly grave: ReadonlyMap<string, string>;
  /** What an operator should know. */
  readonly warnings: readonly string[];
}

interface Extension {
  readonly kind: number;
  readonly data: Uint8Array;
}

type Verdict =
  | { readonly is: 'harmless' }
  | { readonly is: 'refused'; readonly what: string }
  | { readonly is: 'grave'; readonly name: string; readonly what: string }
  | { readonly is: 'warning'; readonly what: string };

const HARMLESS: Verdict = { is: 'harmless' };
const KEY_BYTES = 32;
/** Both fees of a mint: the one that holds, and the one of a later epoch. Hundredths of a per cent, 16 bits. */
const FEE_BYTES = 108;
const FEES_AT = [88, 106] as const;
const FROZEN = 2;

const refused = (what: string): Verdict => ({ is: 'refused', what });
const grave = (name: string, what: string): Verdict => ({ is: 'grave', name, what });
const warning = (what: string): Verdict => ({ is: 'warning', what });

/** By the number the program gives them. */
const JUDGES: ReadonlyMap<number, (data: Uint8Array) => Verdict> = new Map([
  [1, judgeFee],
  // May close the mint once its supply is zero.
  [3, () => HARMLESS],
  [4, () => warning('may be moved in secret: what comes in that way is not seen')],
  [6, judgeDefaultState],
  [9, () => refused('cannot be transferred')],
  [
    10,
    () => grave('shown_amount', 'is shown by wallets with interest: they send other amounts than they show'),
  ],
  [12, judgeDelegate],
  [14, judgeHook],
  [16, () => warning('may keep fees back from secret transfers')],
  // Names and groups.
  ...[18, 19, 20, 21, 22, 23].map((kind) => [kind, () => HARMLESS] as const),
  [24, () => warning('may be issued in secret: its supply is not known')],
  [
    25,
    () => grave('shown_amount', 'is shown by wallets with a factor: they send other amounts than they show'),
  ],
  [26, judgePause],
]);

export function powersOf(freezable: boolean, extensions: readonly Extension[]): MintPowers {
  const verdicts = extensions.map(({ kind, data }): Verdict => {
    const judge = JUDGES.get(kind);
    const name = `extension_${kind}`;
    return judge?.(data) ?? grave(name, `has an extension that is not known here (number ${kind})`);
  });
  if (freezable)
    verdicts.push(warning('can be frozen by its issuer, at the treasury as at any other account'));
  const named = verdicts.filter((each) => each.is === 'grave');
  return {
    refused: verdicts.flatMap((each) => (each.is === 'refused' ? [each.what] : [])),
    grave: new Map(named.map(({ name, what }) => [name, what])),
    warnings: verdicts.flatMap((each) => (each.is === 'warning' ? [each.what] : [])),
  };
}

function judgeFee(data: Uint8Array): Verdict {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const takes = data.length < FEE_BYTES || FEES_AT.some((at) => view.getUint16(at, true) > 0);
  if (takes) return refused('keeps a fee back from every transfer');
  return grave('transfer_fee', 'keeps no fee back from transfers now, and its issuer may make it');
}

function judgeDefaultState([state]: Uint8Array): Verdict {
  if (state === undefined || state === FROZEN) return refused('opens accounts frozen');
  return warning('may come to open accounts frozen');
}

function judgeDelegate(data: Uint8Array): Verdict {
  if (!names(data, 0)) return HARMLESS;
  return grave('permanent_delegate', 'has a permanent delegate, who may take it from any account');
}

function judgeHook(data: Uint8Array): Verdict {
  if (data.length < 2 * KEY_BYTES || names(data, 1)) return refused('runs a transfer hook');
  if (!names(data, 0)) return HARMLESS;
  return grave('transfer_hook', 'runs no transfer hook now, and its issuer may make it');
}

function judgePause(data: Uint8Array): Verdict {
  const paused = data[KEY_BYTES] === 1;
  if (paused) return warning('is paused: nothing of it moves until its issuer lets it');
  return names(data, 0) ? warning('may be paused by its issuer: then nothing of it moves') : HARMLESS;
}

/** Whether there is a key at a place: none is written as zeros. */
function names(data: Uint8Array, place: number): boolean {
  return data.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES).some((byte) => byte !== 0);
}
