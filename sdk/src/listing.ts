// A list that is read page by page during the iteration. `for await` returns every item, and `pages()` returns the pages.

export interface Page<Item> {
  readonly items: readonly Item[];
  /** To continue later with the next page, pass this value as `cursor`. It is null on the last page. */
  readonly nextCursor: string | null;
}

export interface Listing<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item>>;
}

export type ReadPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

export function listing<Item>(readPage: ReadPage<Item>, firstCursor: string | undefined): Listing<Item> {
  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor = firstCursor;
    for (;;) {
      const page = await readPage(cursor);
      yield page;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}
