import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommentId } from "../ids.ts";
import fc from "fast-check";
import {
  arrangeThread,
  cutThread,
  locateInThread,
  sliceThread,
} from "./arrange.ts";

const node = (id: number, parent?: number) => ({
  id: id as CommentId,
  guid: String(id),
  parentGuid: parent === undefined ? null : String(parent),
});
const show = (
  nodes: ReturnType<typeof node>[],
  root?: ReturnType<typeof node>,
) =>
  arrangeThread(nodes, root)
    .map(({ id, depth }) => "-".repeat(depth) + String(id))
    .join(" ");

test("replies stand below their parent, the oldest first", () => {
  const nodes = [node(1), node(2), node(3, 1), node(4, 3), node(5, 1)];
  assert.equal(show(nodes), "1 -3 --4 -5 2");
});

test("a parent that arrives after its reply takes its place above it", () => {
  assert.equal(show([node(1, 2), node(2)]), "2 -1");
});

test("replies to a comment that is not shown are replies to the post", () => {
  assert.equal(show([node(1, 9), node(2, 1)]), "1 -2");
});

test("comments that name each other or themselves are shown once", () => {
  const nodes = [node(1, 2), node(2, 1), node(3, 3), node(4, 1)];
  assert.equal(show(nodes), "3 1 -2 -4");
});

test("only the replies to the root are listed, and never the root", () => {
  const nodes = [node(1), node(2, 1), node(3, 2), node(4)];
  assert.equal(show(nodes, node(1)), "2 -3");
  const circle = [node(1, 2), node(2, 1)];
  assert.equal(show(circle, node(1, 2)), "2");
});

test("a chain of thousands does not overflow the stack", () => {
  const nodes = Array.from({ length: 5000 }, (_, index) =>
    node(index + 1, index === 0 ? undefined : index),
  );
  assert.equal(arrangeThread(nodes).at(-1)?.depth, 4999);
});

test("a page begins beside its key, in the order of the thread", () => {
  const placed = arrangeThread([1, 2, 3, 4, 5].map((id) => node(id)));
  const take = (page: object) =>
    sliceThread(placed, { offset: 0, limit: 2, ...page })
      .map(({ id }) => id)
      .join(" ");
  assert.equal(take({}), "1 2");
  assert.equal(take({ after: 2 }), "3 4");
  assert.equal(take({ after: 5 }), "");
  assert.equal(take({ before: 4 }), "2 3");
  assert.equal(take({ before: 4, offset: 1 }), "1 2");
  assert.equal(take({ before: 4, offset: 9 }), "");
  assert.equal(take({ after: 1, before: 3 }), "2");
  assert.equal(take({ after: 3, before: 1 }), "");
  assert.throws(() => take({ after: 9 }), { code: "bad_request" });
});

test("below the first levels, comments are counted at the last one that is kept", () => {
  const nodes = [node(1), node(2, 1), node(3, 2), node(4, 3), node(5, 2)];
  const cut = cutThread(arrangeThread([...nodes, node(6)]), 2);
  assert.deepEqual(
    cut.map(({ id, depth, deeper }) => [id, depth, deeper]),
    [
      [1, 0, 0],
      [2, 1, 3],
      [6, 0, 0],
    ],
  );
});

test("each comment is found in the list that shows it", () => {
  const parents = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(parents, fc.integer({ min: 1, max: 4 }), (list, levels) => {
      const nodes = list.map((parent, at) =>
        node(at + 1, parent % (at + 1) === 0 ? undefined : parent % (at + 1)),
      );
      const whole = arrangeThread(nodes);
      for (const { id } of whole) {
        const { below, earlier } =
          locateInThread(whole, id, levels) ?? assert.fail();
        const root = nodes.find((one) => one.id === below) ?? null;
        // The list of the page, read as it is for the page.
        const under = root
          ? nodes.filter((one) => isUnder(one, root, nodes))
          : nodes;
        const page = cutThread(arrangeThread(under, root), levels);
        assert.equal(page[earlier.length]?.id, id);
        assert.equal(page[earlier.length - 1]?.id, earlier.at(-1));
      }
    }),
  );
});

function isUnder(
  one: ReturnType<typeof node>,
  root: ReturnType<typeof node>,
  nodes: readonly ReturnType<typeof node>[],
): boolean {
  if (one.id === root.id) return true;
  const parent = nodes.find(({ guid }) => guid === one.parentGuid);
  return parent !== undefined && isUnder(parent, root, nodes);
}

test("the place at the end of a chain of thousands costs no more than a look at each", () => {
  const nodes = Array.from({ length: 5000 }, (_, index) =>
    node(index + 1, index === 0 ? undefined : index),
  );
  const whole = arrangeThread(nodes);
  let looks = 0;
  const counted = whole.map((one) => ({
    id: one.id,
    get depth() {
      looks += 1;
      return one.depth;
    },
  }));
  const place = locateInThread(counted, 5000 as CommentId, 3);
  assert.deepEqual(place, { below: 4998, earlier: [4999] });
  assert.ok(looks < 20_000, `${looks} looks`);
});

test("a comment that is not in the thread has no place", () => {
  assert.equal(locateInThread([], 1 as CommentId, 3), undefined);
});
