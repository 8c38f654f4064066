// All rows of a list that is read page by page: a script that asks for a list gets the whole list.

const PAGE = 200;

/** `read` gives the rows after an id, at most `limit` of them. */
export async function everyRow<Each extends { readonly id: string }>(
  read: (page: { readonly after: string | null; readonly limit: number }) => Promise<readonly Each[]>,
): Promise<readonly Each[]> {
  const rows: Each[] = [];
  for (;;) {
    const page = await read({ after: rows.at(-1)?.id ?? null, limit: PAGE });
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}
