import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";

type Notice = {
  readonly id: string;
  readonly type: string;
  readonly account: { readonly id: string };
  readonly status?: StatusRecord;
};
type Groups = {
  readonly notification_groups: readonly {
    readonly type: string;
    readonly group_key: string;
    readonly status_id?: string;
  }[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const meet = async () => {
    const who = await kith().person();
    return { who, app: MastodonClient.of(kith(), who) };
  };
  type User = Awaited<ReturnType<typeof meet>>;
  const noticesOf = async ({ app }: User) => {
    await kith().settle();
    return app.get<Notice[]>("/v1/notifications");
  };
  const typesOf = async (user: User) =>
    (await noticesOf(user)).map(({ type }) => type);
  const askAnd = async (author: User, voters: readonly User[]) => {
    const asked = await author.app.write("Which?", {
      ...{ visibility: "public" },
      poll: { options: ["Tea", "Coffee"], expires_in: "3600" },
    });
    for (const { app } of voters)
      await app.post(`/v1/polls/${asked.poll?.id}/votes`, { choices: ["1"] });
    return asked;
  };

  test("the end of a poll notifies its author and its voters, once, and nobody who may not see it", async () => {
    const users = [await meet(), await meet(), await meet(), await meet()];
    const [ann, bob, cid, dan] = users as [User, User, User, User];
    const asked = await askAnd(ann, [bob, cid, dan]);
    await ann.app.post(`/v1/accounts/${cid.who.record.ID}/block`);
    await dan.who.put("/notifications/choices", { poll: "nobody" });
    assert.deepEqual(await typesOf(bob), []);
    const end = () => kith().server.features.polls.noteSomeEnded();
    await end();
    assert.deepEqual(await typesOf(bob), []);
    kith().clock.advance(2 * HOUR_MS);
    await Promise.all([end(), end()]);
    for (const user of [ann, bob]) {
      const [notice, ...more] = await noticesOf(user);
      assert.deepEqual(more, []);
      assert.equal(notice?.type, "poll");
      assert.equal(notice.status?.id, asked.id);
      assert.equal(notice.account.id, String(ann.who.record.ID));
    }
    assert.deepEqual(await typesOf(cid), []);
    assert.deepEqual(await typesOf(dan), []);
    const path = "/v2/notifications?types[]=poll";
    const [group] = (await bob.app.get<Groups>(path)).notification_groups;
    assert.deepEqual([group?.type, group?.status_id], ["poll", asked.id]);
    assert.match(group?.group_key ?? "", /^ungrouped-/);
    await end();
    assert.deepEqual(await typesOf(bob), ["poll"]);
    // An old end is no news.
    const late = await askAnd(ann, [bob]);
    kith().clock.advance(72 * HOUR_MS);
    await end();
    assert.equal(late.poll?.expired, false);
    assert.deepEqual(await typesOf(bob), ["poll"]);
    const choices = await dan.who.get<{ Poll: string; Edit: string }>(
      "/notifications/choices",
    );
    assert.deepEqual([choices.Poll, choices.Edit], ["nobody", "everyone"]);
  });

  test("an edit notifies those who reshared the post, of the newest version", async () => {
    const [ann, bob, cid] = [await meet(), await meet(), await meet()];
    const { id } = await ann.app.write("first", { visibility: "public" });
    await bob.app.post(`/v1/statuses/${id}/reblog`);
    await cid.app.post(`/v1/statuses/${id}/favourite`);
    for (const status of ["second", "third"]) {
      kith().clock.advance(1_000);
      await ann.app.put(`/v1/statuses/${id}`, { status });
      const [notice, ...more] = await noticesOf(bob);
      assert.deepEqual(more, []);
      assert.equal(notice?.type, "update");
      assert.match(notice.status?.content ?? "", new RegExp(status));
    }
    assert.deepEqual(await typesOf(cid), []);
    await bob.who.put("/notifications/choices", { edit: "following" });
    await bob.app.post("/v1/notifications/clear");
    await ann.app.put(`/v1/statuses/${id}`, { status: "fourth" });
    assert.deepEqual(await typesOf(bob), []);
    await ann.app.delete(`/v1/statuses/${id}`);
    assert.deepEqual(await typesOf(bob), []);
  });

  test("an edit notifies those who quote the post, of their own posts, as long as the quotes are shown", async () => {
    const [ann, bob, cid] = [await meet(), await meet(), await meet()];
    const { id } = await ann.app.write("first", { visibility: "public" });
    const quote = (by: typeof ann) =>
      by.app.write("see", { visibility: "public", quoted_status_id: id });
    const [mine, other] = [await quote(bob), await quote(cid)];
    // A quote of one's own post is no news, and a revoked one neither.
    await quote(ann);
    await ann.app.post(`/v1/statuses/${id}/quotes/${other.id}/revoke`);
    await kith().settle();
    for (const { app } of [ann, bob, cid])
      await app.post("/v1/notifications/clear");
    for (const status of ["second", "third"]) {
      kith().clock.advance(1_000);
      await ann.app.put(`/v1/statuses/${id}`, { status });
      const [notice, ...more] = await noticesOf(bob);
      assert.deepEqual(more, []);
      assert.deepEqual(
        [notice?.type, notice?.account.id, notice?.status?.id],
        ["quoted_update", String(ann.who.record.ID), mine.id],
      );
    }
    assert.deepEqual(await typesOf(ann), []);
    assert.deepEqual(await typesOf(cid), []);
    const { Edit } = await bob.who.get<{ Edit: string }>(
      "/notifications/choices",
    );
    assert.equal(Edit, "everyone");
    await bob.who.put("/notifications/choices", { edit: "nobody" });
    await bob.app.post("/v1/notifications/clear");
    kith().clock.advance(1_000);
    await ann.app.put(`/v1/statuses/${id}`, { status: "fourth" });
    assert.deepEqual(await typesOf(bob), []);
    await bob.who.put("/notifications/choices", { edit: "everyone" });
    await ann.app.post(`/v1/accounts/${bob.who.record.ID}/block`);
    kith().clock.advance(1_000);
    await ann.app.put(`/v1/statuses/${id}`, { status: "fifth" });
    assert.deepEqual(await typesOf(bob), []);
  });

  test("one edit is one version, whatever it changes", async () => {
    const [ann, bob] = [await meet(), await meet()];
    const media = await ann.app.upload();
    const { id, poll } = await ann.app.write("Which?", {
      ...{ visibility: "public", media_ids: [media.id] },
      poll: { options: ["Tea", "Coffee"], expires_in: "3600" },
    });
    const path = `/v1/statuses/${id}`;
    const vote = () =>
      bob.app.call("POST", `/v1/polls/${poll?.id}/votes`, { choices: ["1"] });
    assert.equal((await vote()).status, 200);
    const versions = async () =>
      (await ann.app.get<unknown[]>(`${path}/history`)).length;
    const change = async (changes: object, expected: number) => {
      kith().clock.advance(1_000);
      const edited = await ann.app.put<StatusRecord>(path, {
        ...{ media_ids: [media.id] },
        ...changes,
      });
      assert.equal(await versions(), expected);
      return edited;
    };
    const described = await change(
      {
        status: "Which one?",
        media_attributes: [{ id: media.id, description: "cups" }],
        poll: { options: ["Tea", "Coffee"], expires_in: "7200" },
      },
      2,
    );
    assert.equal(described.media_attachments[0]?.description, "cups");
    assert.equal(described.poll?.votes_count, 1);
    const described2 = [{ id: media.id, description: "two cups" }];
    await change({ media_attributes: described2 }, 3);
    await change({ media_attributes: described2 }, 3);
    const options = ["Tea", "Coffee", "Water"];
    const other = await change({ poll: { options, expires_in: "7200" } }, 4);
    assert.deepEqual(
      other.poll?.options.map(({ title, votes_count }) => [title, votes_count]),
      options.map((title) => [title, 0]),
    );
    assert.equal((await vote()).status, 200);
    await change({ status: "The poll stays" }, 5);
    for (const poll of [
      { options: ["one"] },
      { options: ["same", "same"] },
      { options, expires_in: "999999999999" },
    ]) {
      const refused = await ann.app.call("PUT", path, { status: "no", poll });
      assert.equal(refused.status, 422, refused.text);
    }
    const kept = await ann.app.get<StatusRecord>(path);
    assert.equal(kept.poll?.votes_count, 1);
    assert.match(kept.content ?? "", /The poll stays/);
    assert.equal(await versions(), 5);
    const plain = await ann.app.write("no poll", { visibility: "public" });
    const asked = await ann.app.put<StatusRecord>(`/v1/statuses/${plain.id}`, {
      poll: { options: ["yes", "no"], expires_in: "3600" },
    });
    assert.equal(asked.poll?.options.length, 2);
    const reply = await bob.app.write("reply", { in_reply_to_id: id });
    const toReply = `/v1/statuses/${reply.id}`;
    const given = { status: "no", poll: { options } };
    const refused = await bob.app.call("PUT", toReply, given);
    assert.equal(refused.status, 422);
  });

  test("a quote is a type of its own, and chosen with mentions", async () => {
    const [ann, bob] = [await meet(), await meet()];
    const { id } = await ann.app.write("quotable", { visibility: "public" });
    const quote = (text: string) =>
      bob.app.write(text, { visibility: "public", quoted_status_id: id });
    const { id: quoting } = await quote("look");
    const [notice] = await noticesOf(ann);
    assert.deepEqual([notice?.type, notice?.status?.id], ["quote", quoting]);
    const excluded = "/v1/notifications?exclude_types[]=quote";
    assert.deepEqual(await ann.app.get(excluded), []);
    await ann.who.put("/notifications/choices", { mention: "nobody" });
    await quote("again");
    assert.equal((await noticesOf(ann)).length, 1);
  });
});
