import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "../../features/page.ts";
import { Input } from "./input.ts";
import {
  linkHeader,
  OF_STATUSES,
  readAskedPage,
  readKeyedPage,
  type AskedPage,
  type Cursor,
} from "./paging.ts";

const read = (sent: Record<string, string>): AskedPage =>
  readAskedPage(Input.of(sent), OF_STATUSES);

describe("a page", () => {
  test("begins beside min_id, and with the newest after since_id", () => {
    assert.deepEqual(read({ min_id: "5", limit: "7" }), {
      ...{ offset: 0, limit: 7, before: undefined, after: 5 },
      since: undefined,
    });
    const newest = read({ since_id: "5" });
    assert.deepEqual(
      [newest.before, newest.after, newest.since],
      [Number.MAX_SAFE_INTEGER, 5, 5],
    );
    const between = read({ since_id: "5", max_id: "9" });
    assert.deepEqual([between.before, between.after], [9, 5]);
  });

  test("has a limit that is lowered, and never refused", () => {
    assert.deepEqual(
      ["", "0", "5", "40", "9999999999999999999"].map(
        (limit) => read({ limit }).limit,
      ),
      [20, 1, 5, 40, 40],
    );
  });

  test("ignores what is no id", () => {
    const page = read({ max_id: "abc", min_id: "-1" });
    assert.deepEqual([page.before, page.after], [undefined, undefined]);
    const far = read({ max_id: "9".repeat(19) });
    assert.equal(far.before, Number.MAX_SAFE_INTEGER);
  });
});

describe("the Link header", () => {
  const url = new URL(
    "https://kith.example/api/v1/x?only_media=true&max_id=9&access_token=t",
  );

  test("has the next page first, absolute, with the other parameters and no token", () => {
    assert.equal(
      linkHeader(url, { limit: 2 }, [8, 7]),
      '<https://kith.example/api/v1/x?only_media=true&limit=2&max_id=7>; rel="next", <https://kith.example/api/v1/x?only_media=true&limit=2&min_id=8>; rel="prev"',
    );
  });

  test("has no next page after the last one, and is absent without records", () => {
    assert.equal(
      linkHeader(url, { limit: 2 }, [8]),
      '<https://kith.example/api/v1/x?only_media=true&limit=2&min_id=8>; rel="prev"',
    );
    assert.equal(linkHeader(url, { limit: 2 }, []), undefined);
  });
});

describe("a list that is ordered by a time", () => {
  const list = [
    { id: 9, place: 30 },
    { id: 5, place: 20 },
    { id: 7, place: 10 },
  ];
  const ask = async (sent: Record<string, string>) => {
    const asked: Page[] = [];
    const linked: (readonly Cursor[])[] = [];
    const found = await readKeyedPage(
      { input: Input.of(sent), link: (_, keys) => linked.push(keys) },
      OF_STATUSES,
      (record: Required<Cursor>) => record,
      async (page) => {
        asked.push(page);
        return list;
      },
    );
    return { page: asked[0], ids: found.map(({ id }) => id), linked };
  };

  test("ends before since_id, whether or not that is there", async () => {
    assert.deepEqual((await ask({ since_id: "5" })).ids, [9]);
    assert.deepEqual((await ask({ since_id: "6" })).ids, [9, 5, 7]);
    assert.deepEqual((await ask({ since_id: "6-20" })).ids, [9]);
    assert.deepEqual((await ask({ since_id: "6-25" })).ids, [9]);
    assert.deepEqual((await ask({ since_id: "5" })).page?.after, undefined);
  });

  test("has links that say where its page ends, and reads them again", async () => {
    const { linked } = await ask({});
    assert.deepEqual(linked, [list]);
    assert.match(
      linkHeader(new URL("https://kith.example/"), { limit: 3 }, list) ?? "",
      /max_id=7-10>; rel="next".*min_id=9-30>; rel="prev"/,
    );
    const { page } = await ask({ max_id: "7-10", limit: "3" });
    assert.deepEqual(
      [page?.before, page?.places],
      [7, { before: 10, after: undefined }],
    );
  });
});
