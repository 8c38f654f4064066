// The issuer's powers over holders of a token, as its mint shows them: the extensions of the newer token program and the freeze
// authority. A power that makes the token unusable here is refused. A power that could take tokens or change amounts is refused
// unless the settings accept it by name. All other powers are logged as warnings.
export interface MintPowers {
  readonly refused: readonly string[];
  /** Maps the name of each power that the settings must accept by name to its meaning. */
  readonly grave: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

interface MintExtension {
  readonly kind: number;
  readonly data: Uint8Array;
}

type PowerVerdict =
  | { readonly is: 'harmless' }
  | { readonly is: 'refused'; readonly what: string }
  | { readonly is: 'grave'; readonly name: string; readonly what: string }
  | { readonly is: 'warning'; readonly what: string };

const HARMLESS: PowerVerdict = { is: 'harmless' };
const KEY_BYTES = 32;
/** A mint has two fees: the current one, and one for a later epoch. Each fee has 16 bits, in hundredths of a per cent. */
const FEE_BYTES = 108;
const FEES_AT = [88, 106] as const;
const FROZEN = 2;

const refusedPower = (what: string): PowerVerdict => ({ is: 'refused', what });
const gravePower = (name: string, what: string): PowerVerdict => ({ is: 'grave', name, what });
const warningPower = (what: string): PowerVerdict => ({ is: 'warning', what });

/** The function that judges each extension. The key is the number that the token program gives the extension. */
const JUDGES: ReadonlyMap<number, (data: Uint8Array) => PowerVerdict> = new Map([
  [1, judgeFee],
  // The authority may close the mint once its supply is zero.
  [3, () => HARMLESS],
  [4, () => warningPower('may be transferred confidentially: such deposits are not seen')],
  [6, judgeDefaultState],
  [9, () => refusedPower('cannot be transferred')],
  [
    10,
    () =>
      gravePower(
        'shown_amount',
        'is shown by wallets with interest added: they do not send the amounts they show',
      ),
  ],
  [12, judgeDelegate],
  [14, judgeHook],
  [16, () => warningPower('may keep fees back from confidential transfers')],
  ...[18, 19, 20, 21, 22, 23].map((kind) => [kind, () => HARMLESS] as const),
  [24, () => warningPower('may be issued confidentially: its supply is not known')],
  [
    25,
    () =>
      gravePower(
        'shown_amount',
        'is shown by wallets multiplied by a factor: they do not send the amounts they show',
      ),
  ],
  [26, judgePause],
]);

export function readMintPowers(freezable: boolean, extensions: readonly MintExtension[]): MintPowers {
  const verdicts = extensions.map(({ kind, data }): PowerVerdict => {
    const judge = JUDGES.get(kind);
    const name = `extension_${kind}`;
    return judge?.(data) ?? gravePower(name, `has an extension that is not known here (number ${kind})`);
  });
  if (freezable)
    verdicts.push(warningPower('can be frozen by its issuer, in the treasury as in any other account'));
  const named = verdicts.filter((each) => each.is === 'grave');
  return {
    refused: verdicts.flatMap((each) => (each.is === 'refused' ? [each.what] : [])),
    grave: new Map(named.map(({ name, what }) => [name, what])),
    warnings: verdicts.flatMap((each) => (each.is === 'warning' ? [each.what] : [])),
  };
}

function judgeFee(data: Uint8Array): PowerVerdict {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const takes = data.length < FEE_BYTES || FEES_AT.some((at) => view.getUint16(at, true) > 0);
  if (takes) return refusedPower('keeps a fee back from every transfer');
  return gravePower('transfer_fee', 'keeps no fee back from transfers now, but its issuer may change that');
}

function judgeDefaultState([state]: Uint8Array): PowerVerdict {
  if (state === undefined || state === FROZEN) return refusedPower('opens accounts frozen');
  return warningPower('may later open new accounts as frozen');
}

function judgeDelegate(data: Uint8Array): PowerVerdict {
  if (!hasKeyAt(data, 0)) return HARMLESS;
  return gravePower('permanent_delegate', 'has a permanent delegate, who may take it from any account');
}

function judgeHook(data: Uint8Array): PowerVerdict {
  if (data.length < 2 * KEY_BYTES || hasKeyAt(data, 1)) return refusedPower('runs a transfer hook');
  if (!hasKeyAt(data, 0)) return HARMLESS;
  return gravePower('transfer_hook', 'runs no transfer hook now, but its issuer may change that');
}

function judgePause(data: Uint8Array): PowerVerdict {
  const paused = data[KEY_BYTES] === 1;
  if (paused) return warningPower('is paused: it cannot be transferred until its issuer resumes it');
  return hasKeyAt(data, 0)
    ? warningPower('may be paused by its issuer: then it cannot be transferred')
    : HARMLESS;
}

/** Whether the data contains a key at an index. A missing key is stored as zeros. */
function hasKeyAt(data: Uint8Array, index: number): boolean {
  return data.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES).some((byte) => byte !== 0);
}
