import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import type { KithServer, TestPerson } from "../support/server/kith-server.ts";
import {
  befriend,
  seen,
  settleAll,
  useServers,
} from "../support/remote/several-servers.ts";
import { upload } from "../support/scenes/pictures.ts";
import type { CommentRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  for (const protocol of ["activitypub", "diaspora"])
    describe(`over ${protocol}`, () => {
      const servers = useServers(kind, protocol, 3);
      let ann: TestPerson;
      let ben: TestPerson;
      let cat: TestPerson;
      before(async () => {
        const [home, second, third] = servers();
        assert.ok(home && second && third);
        [ann, ben, cat] = await Promise.all([
          home.person(),
          second.person(),
          third.person(),
        ]);
        await befriend(ben, ann.handle);
        await befriend(ann, ben.handle);
        await befriend(cat, ben.handle);
        await settle();
      });

      const settle = () => settleAll(servers());
      const later = async () => {
        for (const { clock } of servers()) clock.advance(5_000);
        await settle();
      };
      const edit = async (by: TestPerson, path: string, json: object) => {
        await later();
        const answer = await by.call("PUT", path, { json });
        assert.equal(answer.status, 200, answer.text);
        await settle();
        return answer;
      };
      const textsOf = async (by: TestPerson, path: string) => [
        (await by.get<PostRecord>(path)).Text,
        ...(await by.get<{ Text: string }[]>(`${path}/history`)).map(
          ({ Text }) => Text,
        ),
      ];
      const isWarned = protocol === "diaspora";

      test("an edit reaches everyone who has the post, with its history", async () => {
        const post = await ann.post<PostRecord>("/posts", { post: "first" });
        await settle();
        await ben.post(`/posts/${post.Guid}/reshare`);
        await settle();
        const path = `/posts/${post.Guid}`;
        // Only by this does the author's server learn of hers over ActivityPub.
        await cat.post(`${path}/comments`, { comment: "well" });
        await settle();
        for (const text of ["second", "third"]) {
          const { headers } = await edit(ann, path, { post: text });
          assert.equal(headers.has("warning"), isWarned);
        }
        for (const reader of [ann, ben, cat])
          assert.deepEqual(await textsOf(reader, path), [
            "third",
            "second",
            "first",
          ]);
        await ann.delete(path);
        await settle();
        for (const reader of [ben, cat]) await reader.notFound("GET", path);
      });

      test("an edited comment reaches the servers of its post", async () => {
        await befriend(cat, ann.handle, "ann");
        await settle();
        const post = await ann.post<PostRecord>("/posts", { post: "root" });
        await settle();
        const comment = await ben.post<CommentRecord>(
          `/posts/${post.Guid}/comments`,
          { comment: "frist" },
        );
        await settle();
        const path = `/comments/${comment.Guid}`;
        await edit(ben, path, { text: "first" });
        await edit(ben, path, { text: "First" });
        for (const reader of [ann, ben, cat])
          assert.deepEqual(await textsOf(reader, path), [
            "First",
            "first",
            "frist",
          ]);
        await ann.delete(path);
        await settle();
        for (const reader of [ben, cat]) await reader.notFound("GET", path);
      });

      test("a limited post stays with its readers when it is edited", async () => {
        const aspectID = await befriend(ann, ben.handle, `few ${protocol}`);
        await settle();
        const form = { post: "hush", aspectID };
        const post = await ann.post<PostRecord>("/posts", form);
        await settle();
        const path = `/posts/${post.Guid}`;
        await edit(ann, path, { post: `hush @{${cat.handle}}` });
        assert.match((await textsOf(ben, path))[0] ?? "", /^hush @/);
        await cat.notFound("GET", path);
        const comment = await ben.post<CommentRecord>(`${path}/comments`, {
          comment: "psst",
        });
        await settle();
        await edit(ben, `/comments/${comment.Guid}`, { text: "pssst" });
        assert.deepEqual(await textsOf(ann, `/comments/${comment.Guid}`), [
          "pssst",
          "psst",
        ]);
      });

      test("a description is changed wherever the picture is", async () => {
        const photo = await upload(ann);
        const form = { post: "look", photoID: photo.ID };
        const post = await ann.post<PostRecord>("/posts", form);
        await settle();
        await edit(ann, `/photos/${photo.ID}`, { text: "A deer" });
        const shown = await ben.get<PostRecord>(`/posts/${post.Guid}`);
        assert.deepEqual(
          shown.Photos.map(({ Text }) => Text),
          ["A deer"],
        );
      });

      test("people whom an edit no longer mentions get later edits and the deletion", async () => {
        const dan = await (servers()[2] as KithServer).person();
        await seen(ann, dan.handle);
        const post = await ann.post<PostRecord>("/posts", {
          post: `hello @{${dan.handle}}`,
        });
        await settle();
        const path = `/posts/${post.Guid}`;
        for (const text of ["hello", "bye"])
          await edit(ann, path, { post: text });
        assert.equal((await textsOf(dan, path))[0], "bye");
        await ann.delete(path);
        await settle();
        await dan.notFound("GET", path);
      });
    });
});
