// The events of a seed, line by line, with simulated times: all of them for a trace, or those of one transaction for a story.

export interface Tale {
  /** Whether the trace is printed: otherwise its lines are not created. */
  readonly wanted: boolean;
  line(who: string, what: string): void;
  readonly lines: readonly string[];
}

export function makeTale(wanted: boolean, now: () => number): Tale {
  const startMs = now();
  const lines: string[] = [];
  return {
    wanted,
    lines,
    line: (who, what) => {
      if (wanted) lines.push(`${clockText(now() - startMs)}  ${who.padEnd(9)} ${what}`);
    },
  };
}

/** The time since the start: minutes, seconds and milliseconds. */
function clockText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const seconds = ((ms % 60_000) / 1_000).toFixed(3);
  return `${String(minutes).padStart(3, '0')}:${seconds.padStart(6, '0')}`;
}

/** The lines that contain one of these names. */
export function storyOf(lines: readonly string[], names: ReadonlySet<string>): readonly string[] {
  const wanted = [...names].filter((name) => name !== '');
  return lines.filter((line) => wanted.some((name) => line.includes(name)));
}
