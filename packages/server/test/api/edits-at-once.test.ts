import assert from "node:assert/strict";
import { test } from "node:test";
import { later, timestamp } from "../../src/lib/time/clock.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

const EDITS = 12;

forEachDatabase((kind) => {
  const kith = useKith(kind);

  for (const what of ["post", "comment"] as const)
    test(`concurrent edits of a ${what} each keep the text they replace`, async () => {
      const { features } = kith().server;
      const ann = await kith().person();
      const post = await ann.post<{ ID: number; Guid: string }>("/posts", {
        post: "before",
      });
      const thing =
        what === "post"
          ? post
          : await ann.post<{ ID: number; Guid: string }>(
              `/posts/${post.ID}/comments`,
              { comment: "before" },
            );
      const author = await features.people.find({ handle: ann.handle });
      assert.ok(author);
      const now = kith().clock.now();
      const edits = Array.from({ length: EDITS }, (_, index) => ({
        guid: thing.Guid,
        by: author.id,
        text: `edit ${index}`,
        editedAt: timestamp(later(now, index + 1)),
      }));
      const outcomes = await Promise.all(
        edits.map((edit) =>
          what === "post"
            ? features.posts.receiveEdit(edit)
            : features.comments.receiveEdit(edit),
        ),
      );
      const changed = edits.filter((_, index) => outcomes[index] === "changed");
      assert.equal(outcomes.at(-1), "changed", "the newest one counts");
      const rows = await kith()
        .db.read.selectFrom("text_versions")
        .select("text")
        .where("post_id", "=", post.ID as never)
        .orderBy("id")
        .execute();
      assert.deepEqual(
        [...rows.map(({ text }) => text), `edit ${EDITS - 1}`],
        ["before", ...changed.map(({ text }) => text)],
      );
    });
});
