// The metrics of background work. The number of series stays small, because labels come from fixed lists.

export interface Series<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

export interface Instruments {
  /** A gauge whose series are all set at once. A series that is missing from the next set disappears. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (series: readonly Series<Label>[]) => void;
  /** A counter whose value is stored elsewhere. All its series are set at once, as for a gauge. */
  totals<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (series: readonly Series<Label>[]) => void;
  counter(name: string, help: string): (more: number) => void;
}
