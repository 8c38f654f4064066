// Reads V8's counts while the product runs: which functions were called since the last snapshot, and which blocks within them
// ran. V8 does not list a block that ran as often as its surrounding block. Such a block becomes known once a seed makes the
// counts differ.
import { Session } from 'node:inspector';

/** The ranges of a function in one seed, outermost first, as `start-end-reached` joined by blanks. */
export type Pattern = string;

export interface Range {
  readonly start: number;
  readonly end: number;
  readonly reached: boolean;
}

export interface CalledFunction {
  /** The function's position in its file: `start-end`. */
  readonly place: string;
  readonly name: string;
  readonly pattern: Pattern;
}

/** The called functions of each file. The key is the path of the file within the repository. */
export type Look = ReadonlyMap<string, readonly CalledFunction[]>;

interface Counted {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly {
        readonly startOffset: number;
        readonly endOffset: number;
        readonly count: number;
      }[];
    }[];
  }[];
}

/**
 * Starts counting. Each call of the returned function returns the changes since the previous call. This must be called before
 * the product is loaded.
 */
export function startCounting(root: URL, isWanted: (file: string) => boolean): () => Look {
  const session = new Session();
  session.connect();
  const ask = (method: string, parameters: object = {}): unknown => {
    let answer: unknown;
    session.post(method, parameters, (error, result) => {
      if (error !== null) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  };
  ask('Profiler.enable');
  ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return () => {
    const { result } = ask('Profiler.takePreciseCoverage') as Counted;
    const files = result
      .filter(({ url }) => url.startsWith(root.href))
      .map(({ url, functions }) => [url.slice(root.href.length), functions] as const)
      .filter(([file]) => isWanted(file));
    return new Map(files.map(([file, functions]) => [file, functions.map(calledOf)]));
  };
}

function calledOf({ functionName, ranges }: Counted['result'][number]['functions'][number]): CalledFunction {
  const [{ startOffset, endOffset }] = ranges as [(typeof ranges)[number]];
  return {
    place: `${startOffset}-${endOffset}`,
    name: functionName,
    pattern: ranges
      .map((each) => `${each.startOffset}-${each.endOffset}-${each.count > 0 ? 1 : 0}`)
      .join(' '),
  };
}

export function rangesOf(pattern: Pattern): readonly Range[] {
  return pattern.split(' ').map((text) => {
    const [start, end, reached] = text.split('-').map(Number) as [number, number, number];
    return { start, end, reached: reached === 1 };
  });
}

export function reachedAt(ranges: readonly Range[], offset: number): boolean {
  return ranges.findLast(({ start, end }) => start <= offset && offset < end)?.reached ?? false;
}
