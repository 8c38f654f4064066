// Shows the data of a plot as a table, for screen readers and for people who need the exact figures. The table opens below the
// plot.
import styles from './figures-table.module.css';

interface FiguresTableProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function FiguresTable({ caption, heads, rows }: FiguresTableProps) {
  return (
    <details className={styles.figures}>
      <summary>Show as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard, too */}
      <div className={styles.scroll} tabIndex={0}>
        <table className="tabular">
          <caption className="only-screen-reader">{caption}</caption>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.toReversed().map(([name, ...cells]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell, index) => (
                  <td key={heads[index + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
