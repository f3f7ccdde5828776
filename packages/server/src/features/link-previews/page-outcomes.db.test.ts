import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import {
  remotePerson,
  remotePost,
} from "../../../test/support/remote/remote-people.ts";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import { useKith } from "../../../test/support/server/kith-server.ts";
import type { PostId } from "../ids.ts";
import { PageOutcomes } from "./page-outcomes.ts";

const UNSTORABLE = "unstorable";
const summaryOf = (title: string) => ({
  ...{ title, description: null, siteName: null },
  ...{ authorName: null, imageUrl: null },
});

forEachDatabase((kind) => {
  const kith = useKith(kind, { env: { KITH_LINK_PREVIEWS: "true" } });
  const urlOf = (n: number) => `https://pages.example/${kind}/${n}`;

  /** Posts that wait for the pages of these numbers. */
  async function link(...numbers: number[]): Promise<void> {
    const author = await remotePerson(kith(), "ann@remote.example");
    for (const n of numbers)
      await kith().server.features.posts.receive(
        remotePost(author, { text: urlOf(n) }),
      );
  }

  function prepare() {
    const { db, clock } = kith();
    const announced: PostId[] = [];
    const commits: number[] = [];
    db.onWrites((writes) => commits.push(writes?.length ?? 0));
    const changes = {
      notePost: (_: unknown, id: PostId) => announced.push(id),
    };
    const outcomes = new PageOutcomes({ db, clock, changes });
    return { outcomes, announced, commits };
  }

  /** The stored title of a page; undefined if there is no preview. */
  const titleOf = async (n: number) => {
    const row = await kith()
      .db.read.selectFrom("link_previews")
      .select("title")
      .where("url", "=", urlOf(n))
      .executeTakeFirst();
    return row?.title;
  };

  test("outcomes that come together are stored in one transaction", async () => {
    const numbers = Array.from({ length: 40 }, (_, n) => n);
    await link(...numbers);
    const { outcomes, announced, commits } = prepare();
    for (const n of numbers)
      outcomes.add(urlOf(n), { kind: "read", summary: summaryOf(`page ${n}`) });
    assert.deepEqual(await outcomes.settle(), []);
    assert.equal(commits.length, 1);
    assert.equal(announced.length, numbers.length);
    for (const n of numbers) assert.equal(await titleOf(n), `page ${n}`);
  });

  test("an outcome that cannot be stored counts as failed, and keeps no others from it", async () => {
    await link(100, 101, 102);
    await refuseTitle();
    const { outcomes } = prepare();
    outcomes.add(urlOf(100), { kind: "read", summary: summaryOf("one") });
    const summary = summaryOf(UNSTORABLE);
    outcomes.add(urlOf(101), { kind: "read", summary });
    outcomes.add(urlOf(102), { kind: "nothing" });
    assert.equal((await outcomes.settle()).length, 1);
    assert.equal(await titleOf(100), "one");
    assert.equal(await titleOf(101), null);
    assert.equal(await titleOf(102), null);
  });

  /** From now on the database refuses a preview with that title. */
  async function refuseTitle(): Promise<void> {
    const { db } = kith();
    const refusal =
      kind === "postgres"
        ? `alter table link_previews add check (title <> '${UNSTORABLE}')`
        : `create trigger refuse_title before insert on link_previews
            when new.title = '${UNSTORABLE}'
            begin select raise(abort, 'refused'); end`;
    await db.transaction((tx) => sql.raw(refusal).execute(tx));
  }
});
