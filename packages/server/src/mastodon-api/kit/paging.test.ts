import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Input } from "./input.ts";
import {
  linkHeader,
  OF_STATUSES,
  readAskedPage,
  readKeyedPage,
  type AskedPage,
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

test("a list with keys of its own ends before since_id, whether or not that is there", async () => {
  const list = [9, 7, 5];
  const ask = (sent: Record<string, string>) =>
    readKeyedPage(
      read(sent),
      (id: number) => id,
      async ({ before = Infinity, after, limit }) => {
        assert.equal(after, undefined);
        return list.filter((id) => id < before).slice(0, limit);
      },
    );
  assert.deepEqual(await ask({ since_id: "7" }), [9]);
  assert.deepEqual(await ask({ since_id: "6" }), [9, 7, 5]);
  assert.deepEqual(await ask({ max_id: "9" }), [7, 5]);
});
