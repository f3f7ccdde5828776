import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

const MONTH_MS = 31 * 86_400_000;

forEachDatabase((database) => {
  const kith = useKith(database);

  test("the sitemap names no month without a post that may be found", async () => {
    const { server, clock, host, baseUrl } = kith();
    const { people, posts } = server.features;
    await newUser(baseUrl, "ann");
    const ann = (await people.find({ handle: `ann@${host}` })) ?? assert.fail();
    await people.changeProfile(ann.id, { searchable: true, indexable: true });
    const author = { personId: ann.id, userId: ann.userId ?? assert.fail() };
    const monthNow = () => clock.now().toISOString().slice(0, 7);
    const publish = async (audience: "everyone" | "unlisted") => {
      await posts.publish({ author, text: "A", audience: { kind: audience } });
      const month = monthNow();
      clock.advance(MONTH_MS);
      return month;
    };
    const first = await publish("everyone");
    await publish("unlisted");
    clock.advance(MONTH_MS);
    const last = await publish("everyone");
    const { text } = await visitor(baseUrl).get("/sitemap.xml");
    const named = text.matchAll(/\/sitemap\/posts\/([\d-]+)\.xml</g);
    assert.deepEqual(
      [...named].map(([, month]) => month),
      [last, first],
    );
    const month = await visitor(baseUrl).get(`/sitemap/posts/${last}.xml`);
    assert.equal(month.text.match(/<url>/g)?.length, 1);
  });
});
