import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  MastodonClient,
  type AccountRecord,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { settleAll, useServers } from "../support/remote/several-servers.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import type { KithServer } from "../support/server/kith-server.ts";

type Notice = { readonly type: string; readonly status?: StatusRecord };
type Talk = { readonly last_status: StatusRecord };

forEachDatabase((kind) => {
  for (const protocol of ["activitypub", "diaspora"] as const)
    describe(`over ${protocol}`, () => {
      const servers = useServers(kind, protocol, 2);
      const settle = () => settleAll(servers());

      /** Ann on the first server and Bob on the second, who follow each other. */
      async function friends(names: readonly [string, string]) {
        const [here, there] = servers() as [KithServer, KithServer];
        const ann = await here.person({ handle: names[0] });
        const bob = await there.person({ handle: names[1] });
        const [a, b] = [
          MastodonClient.of(here, ann),
          MastodonClient.of(there, bob),
        ];
        const find = async (by: MastodonClient, handle: string) => {
          const { accounts } = await by.get<{ accounts: AccountRecord[] }>(
            `/v2/search?type=accounts&resolve=true&q=${encodeURIComponent(handle)}`,
          );
          return accounts[0]?.id ?? assert.fail(`${handle} was not found`);
        };
        const annId = await find(b, ann.handle);
        await b.post(`/v1/accounts/${annId}/follow`, { notify: true });
        await a.post(`/v1/accounts/${await find(a, bob.handle)}/follow`);
        await settle();
        return { a, b, ann, bob, annId };
      }
      const home = (by: MastodonClient) =>
        by.get<StatusRecord[]>("/v1/timelines/home");
      const newest = async (by: MastodonClient) =>
        (await home(by))[0] ?? assert.fail("The home is empty");
      const noticesOf = async (by: MastodonClient) =>
        (await by.get<Notice[]>("/v1/notifications")).map(({ type }) => type);

      test("a post with a picture arrives, notifies, and is answered, liked, reshared and deleted", async () => {
        const { a, b, annId } = await friends(["ann", "bob"]);
        const media = await a.upload({ description: "a square" });
        const post = await a.write("look here", { media_ids: [media.id] });
        await settle();
        const arrived = await newest(b);
        assert.match(arrived.content ?? "", /look here/);
        assert.equal(arrived.media_attachments[0]?.description, "a square");
        assert.ok((await noticesOf(b)).includes("status"));
        await b.post(`/v1/accounts/${annId}/follow`, { notify: false });
        const at = `/v1/statuses/${arrived.id}`;
        await b.write("nice", { in_reply_to_id: arrived.id });
        await b.post(`${at}/favourite`);
        await b.post(`${at}/reblog`);
        await settle();
        const own = await a.get<StatusRecord>(`/v1/statuses/${post.id}`);
        assert.deepEqual(
          [own.replies_count, own.favourites_count, own.reblogs_count],
          [1, 1, 1],
        );
        const seen = await noticesOf(a);
        for (const type of ["mention", "favourite", "reblog"])
          assert.ok(seen.includes(type), `${type} among ${seen.join()}`);
        await a.delete(`/v1/statuses/${post.id}`);
        await settle();
        await b.notFound("GET", at);
      });

      test("pictures of a reply and of a message arrive, and go with them", async () => {
        const { a, b, bob, annId } = await friends(["eva", "fay"]);
        const upload = (by: MastodonClient) =>
          by.upload({ description: "a square" });
        /** Over diaspora* the picture is in the text, where any server shows it. */
        const assertShown = async (status: StatusRecord | undefined) => {
          const [media] = status?.media_attachments ?? [];
          const [, inText = ""] =
            /href="([^"]+\.png)"/.exec(status?.content ?? "") ?? [];
          const url = protocol === "diaspora" ? inText : (media?.url ?? "");
          if (protocol === "activitypub")
            assert.equal(media?.description, "a square");
          assert.equal((await fetch(url)).status, 200, url);
        };
        await a.write("look here");
        await settle();
        const arrived = await newest(b);
        const media = await upload(b);
        const reply = await b.write("and here", {
          ...{ in_reply_to_id: arrived.id, media_ids: [media.id] },
        });
        await settle();
        const [post] = await a.get<StatusRecord[]>(
          `/v1/accounts/${(await a.get<AccountRecord>("/v1/accounts/verify_credentials")).id}/statuses`,
        );
        const below = async () =>
          (
            await a.get<{ descendants: StatusRecord[] }>(
              `/v1/statuses/${post?.id}/context`,
            )
          ).descendants;
        await assertShown((await below())[0]);
        await b.delete(`/v1/statuses/${reply.id}`);
        await settle();
        assert.deepEqual(await below(), []);

        const handle = `@${bob.handle}`;
        const secret = await upload(a);
        await a.write(`psst ${handle}`, {
          ...{ visibility: "direct", media_ids: [secret.id] },
        });
        await settle();
        const [talk] = await b.get<Talk[]>("/v1/conversations");
        await assertShown(talk?.last_status);
        const other = await upload(b);
        await b.write("re", {
          ...{ in_reply_to_id: talk?.last_status.id, visibility: "direct" },
          media_ids: [other.id],
        });
        await settle();
        const [answered] = await a.get<Talk[]>("/v1/conversations");
        await assertShown(answered?.last_status);
        assert.ok(annId);
      });

      test("a vote counts, an edit arrives where there are edits, and a message is read", async () => {
        const { a, b, bob } = await friends(["cid", "dan"]);
        const asked = await a.write("tea?", {
          poll: { options: ["yes", "no"], expires_in: 3_600 },
        });
        await settle();
        const { poll } = await newest(b);
        assert.deepEqual(
          poll?.options.map(({ title }) => title),
          ["yes", "no"],
        );
        await b.post(`/v1/polls/${poll?.id}/votes`, { choices: [0] });
        await settle();
        const own = await a.get<StatusRecord>(`/v1/statuses/${asked.id}`);
        assert.equal(own.poll?.options[0]?.votes_count, 1);

        const hidden = await a.write("which?", {
          poll: { options: ["x", "y"], expires_in: 3_600, hide_totals: true },
        });
        await settle();
        const there = await newest(b);
        await b.post(`/v1/polls/${there.poll?.id}/votes`, { choices: [1] });
        await settle();
        const counts = async (by: MastodonClient, status: StatusRecord) =>
          (
            await by.get<StatusRecord>(`/v1/statuses/${status.id}`)
          ).poll?.options.map(({ votes_count }) => votes_count);
        assert.deepEqual(await counts(a, hidden), [null, null]);
        // diaspora* gives every server the votes themselves.
        assert.deepEqual(
          await counts(b, there),
          protocol === "activitypub" ? [null, null] : [0, 1],
        );
        for (const { clock } of servers()) clock.advance(3_700_000);
        await settle();
        assert.deepEqual(await counts(a, hidden), [0, 1]);
        assert.deepEqual(await counts(b, there), [0, 1]);

        const text = await a.write("before");
        await settle();
        const { id } = await newest(b);
        servers()[0]?.clock.advance(60_000);
        await a.put(`/v1/statuses/${text.id}`, { status: "afterwards" });
        await settle();
        const { content } = await b.get<StatusRecord>(`/v1/statuses/${id}`);
        if (protocol === "activitypub")
          assert.match(content ?? "", /afterwards/);

        await a.write(`@${bob.handle} in private`, { visibility: "direct" });
        await settle();
        const [talk] = await b.get<Talk[]>("/v1/conversations");
        assert.match(talk?.last_status.content ?? "", /in private/);
      });
    });
});
