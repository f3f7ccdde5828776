import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type AccountRecord,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    return { who, id: who.record.ID, app: MastodonClient.of(kith(), who) };
  };
  /** Makes sure that a call is refused with this status, and changes nothing. */
  const refused = async (
    app: MastodonClient,
    [method, path]: readonly [method: string, path: string],
    status: number,
    body: Readonly<Record<string, unknown>>,
  ) => {
    const before = await kith().snapshot();
    const answer = await app.call(method, path, body);
    assert.equal(answer.status, status, answer.text);
    assert.deepEqual(await kith().snapshot(), before);
  };

  test("people are put into a list, and taken out of it, all or none", async () => {
    const [ann, bob, eve] = [await client(), await client(), await client()];
    const { id } = await ann.app.post<{ id: string }>("/v1/lists", {
      title: "friends",
    });
    const path = `/v1/lists/${id}/accounts`;
    const members = async () =>
      (await ann.app.get<AccountRecord[]>(path)).map((it) => Number(it.id));
    const [one, other] = [String(bob.id), String(eve.id)];
    await refused(ann.app, ["POST", path], 404, {
      account_ids: [one, "999999"],
    });
    await ann.app.post(`/v1/accounts/${eve.id}/block`);
    await refused(ann.app, ["POST", path], 422, { account_ids: [one, other] });
    await ann.app.post(`/v1/accounts/${eve.id}/unblock`);
    for (let n = 0; n < 2; n += 1)
      await ann.app.post(path, { account_ids: [one, other] });
    assert.deepEqual((await members()).toSorted(), [bob.id, eve.id].toSorted());
    await ann.app.delete(path, { account_ids: [one, "999999"] });
    assert.deepEqual(await members(), [eve.id]);
  });

  test("a profile with a wrong default stays as it was", async () => {
    const { app } = await client();
    for (const source of [{ language: "deer!" }, { quote_policy: "deer" }])
      await refused(app, ["PATCH", "/v1/accounts/update_credentials"], 422, {
        display_name: "Somebody else",
        source,
      });
  });

  test("a status whose media are described wrongly stays as it was", async () => {
    const [ann, bob] = [await client(), await client()];
    const [own, others] = [await ann.app.upload(), await bob.app.upload()];
    const { id } = await ann.app.write("before", { media_ids: [own.id] });
    const path = `/v1/statuses/${id}`;
    for (const [status, wrong] of [
      [404, { id: others.id, description: "no" }],
      [422, { id: own.id, focus: "9,9" }],
      [422, { id: own.id, description: "x".repeat(70_000) }],
    ] as const)
      await refused(ann.app, ["PUT", path], status, {
        status: "after",
        media_attributes: [{ id: own.id, description: "first" }, wrong],
      });
    const changed = await ann.app.put<StatusRecord>(path, {
      status: "after",
      media_attributes: [{ id: own.id, description: "all", focus: "0.5,0" }],
    });
    const [media] = changed.media_attachments;
    assert.equal(media?.description, "all");
    assert.equal(media.meta.focus?.x, 0.5);
  });

  test("an own reshare is not found while its original is hidden", async () => {
    const [ann, bob] = [await client(), await client()];
    const { id } = await bob.app.write("to all");
    const reshare = await ann.app.post<StatusRecord>(
      `/v1/statuses/${id}/reblog`,
    );
    await bob.app.post(`/v1/accounts/${ann.id}/block`);
    for (const method of ["GET", "DELETE"])
      await ann.app.notFound(method, `/v1/statuses/${reshare.id}`);
    await bob.app.post(`/v1/accounts/${ann.id}/unblock`);
    const again = await ann.app.call("GET", `/v1/statuses/${reshare.id}`);
    assert.ok([200, 404].includes(again.status));
  });
});
