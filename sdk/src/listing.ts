// A list that is read page by page while it is walked: `for await` gives every item, `pages()` the pages.

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Give it as `cursor` to begin with the next page later; null on the last page. */
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
