import assert from "node:assert/strict";
import { test } from "node:test";
import { FILL_LIMITS, fillPage } from "./fill-page.ts";
import { slicePage, type ListOrder, type Page } from "./page.ts";

/** Lists the records from 1 to `length`, of which those with an id that `isHidden` are left out. */
function listOf(
  length: number,
  order: ListOrder,
  isHidden: (id: number) => boolean,
) {
  const all = Array.from({ length }, (_, index) => ({ id: index + 1 }));
  const inOrder = order === "newest first" ? all.toReversed() : all;
  const reads: number[] = [];
  const fill = async (page: Page, work = 1) => {
    const records = await fillPage(page, {
      order,
      read: async (part) => {
        reads.push(part.limit);
        return slicePage(inOrder, part, order);
      },
      leaveOut: async (some) => some.filter(({ id }) => !isHidden(id)),
      workOf: () => work,
    });
    return records.map(({ id }) => id);
  };
  const shown = inOrder.filter(({ id }) => !isHidden(id));
  const expected = (page: Page) =>
    slicePage(shown, page, order).map(({ id }) => id);
  return { fill, expected, reads };
}

for (const order of ["newest first", "oldest first"] as const)
  test(`pages are those of the list without the hidden records, ${order}`, async () => {
    const { fill, expected } = listOf(60, order, (id) => id % 3 !== 0);
    const keys = [undefined, 1, 2, 30, 31, 60, 99];
    for (const before of keys)
      for (const after of keys)
        for (const offset of [0, 1, 7, 25])
          for (const limit of [1, 4, 100]) {
            const page = { offset, limit, before, after };
            const what = JSON.stringify(page);
            assert.deepEqual(await fill(page), expected(page), what);
          }
  });

test("it reads no further than the page needs, nor than the limits", async () => {
  const page = { offset: 0, limit: 10 };
  const none = listOf(500, "newest first", () => false);
  assert.equal((await none.fill(page)).length, 10);
  assert.deepEqual(none.reads, [10]);
  const all = listOf(5_000, "newest first", () => true);
  assert.deepEqual(await all.fill(page), []);
  assert.equal(all.reads.length, FILL_LIMITS.records / 10);
  const long = listOf(5_000, "newest first", () => true);
  assert.deepEqual(await long.fill(page, FILL_LIMITS.work / 29), []);
  assert.equal(long.reads.length, 3);
});
