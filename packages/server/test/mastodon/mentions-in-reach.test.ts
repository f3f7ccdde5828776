import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const meet = async () => {
    const who = await kith().person();
    return { who, at: `@${who.username}`, app: MastodonClient.of(kith(), who) };
  };
  const acctsOf = ({ mentions }: StatusRecord) =>
    mentions.map(({ acct }) => acct).sort();

  test("a message names nobody outside of its conversation", async () => {
    const [ann, bob, eve] = [await meet(), await meet(), await meet()];
    const talk = await ann.app.write(`hush ${bob.at}`, {
      visibility: "direct",
    });
    const below = { in_reply_to_id: talk.id, visibility: "direct" };
    const before = await kith().snapshot();
    for (const outside of [eve.at, "@nobody@elsewhere.example"])
      await bob.app.refused(
        ...(["POST", "/v1/statuses", 422] as const),
        /is not part of this conversation$/,
        { ...below, status: `${ann.at} and ${outside}` },
      );
    assert.deepEqual(await kith().snapshot(), before);
    const reply = await bob.app.write(`${ann.at} and ${bob.at}`, below);
    assert.ok(acctsOf(reply).includes(ann.who.username));
  });

  test("an edit of a status for some names nobody whom it does not reach", async () => {
    const [ann, bob, eve] = [await meet(), await meet(), await meet()];
    await bob.app.post(`/v1/accounts/${ann.who.record.ID}/follow`);
    const first = await ann.app.write("for some", { visibility: "private" });
    const path = `/v1/statuses/${first.id}`;
    await ann.app.refused(
      ...(["PUT", path, 422] as const),
      `Validation failed: An edit reaches nobody new, and this status is not for ${eve.who.handle}`,
      { status: `for some, and ${eve.at}` },
    );
    await eve.app.notFound("GET", path);
    const status = `for some, and ${bob.at}`;
    const edited = await ann.app.put<StatusRecord>(path, { status });
    assert.deepEqual(acctsOf(edited), [bob.who.username]);
    const wide = await ann.app.write("for all", { visibility: "public" });
    const named = await ann.app.put<StatusRecord>(`/v1/statuses/${wide.id}`, {
      status: `for all, and ${eve.at}`,
    });
    assert.deepEqual(acctsOf(named), [eve.who.username]);
  });
});
