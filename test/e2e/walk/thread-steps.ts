import assert from "node:assert/strict";
import { guidOf } from "../../support/conversation.ts";
import { eventually } from "../../support/kith-process.ts";
import type { Json } from "../../support/api-client.ts";
import type { Resident } from "../../support/resident.ts";
import { agree } from "./look.ts";
import type { Step } from "./town.ts";

/** The thread as a person sees it, such as `-one --two`. */
async function threadOf(who: Resident, post: string): Promise<string> {
  const thread = await who.api.getRecord(`/posts/${post}/thread?limit=100`);
  return (thread["Descendants"] as Json[])
    .map(({ Depth, Text }) => "-".repeat(Number(Depth)) + String(Text))
    .join(" ");
}

async function versionsOf(who: Resident, path: string): Promise<string[]> {
  const versions = await who.api.getList(`${path}/history`);
  return versions.map(({ Text }) => String(Text));
}

export const deepThread: Step = {
  name: "replies to replies, from three servers, stand below each other on all of them",
  walk: async ({ ann, bob, cid, friends }) => {
    const texts = ["one", "two", "three", "four", "five"];
    const writers = [bob, cid, ann, cid, bob];
    for (const extras of [{}, { aspect: friends }]) {
      const post = await ann.publish("A long talk", extras);
      const said: string[] = [];
      let parent: string | undefined;
      for (const [depth, text] of texts.entries()) {
        const writer = writers[depth] ?? ann;
        const known = parent;
        await eventually(async () => {
          const path = known ? `/comments/${known}` : `/posts/${post}`;
          assert.equal((await writer.api.call("GET", path)).status, 200);
        });
        const comment = await writer.api.post(`/posts/${post}/comments`, {
          comment: text,
          ...(parent && { parent_guid: parent }),
        });
        parent = guidOf(comment);
        said.push("-".repeat(depth + 1) + text);
      }
      for (const reader of [ann, bob, cid])
        await eventually(async () =>
          assert.equal(await threadOf(reader, post), said.join(" ")),
        );
      const { Ancestors } = await cid.api.getRecord(
        `/comments/${parent}/thread`,
      );
      assert.deepEqual(
        (Ancestors as Json[]).map(({ Text }) => Text),
        texts.slice(0, -1),
      );
    }
  },
};

export const edits: Step = {
  name: "an edit of a post and of a comment arrives with its history, where the servers take it",
  walk: async ({ ann, bob, cid }) => {
    const first = "Meet me at noon";
    const post = await ann.publish(first);
    await agree([ann, bob, cid], post, { by: "ann", text: first });
    const comment = await bob.comment(post, "I wil");
    const comments = ["bob: I wil"];
    await agree([ann, bob, cid], post, { by: "ann", text: first, comments });
    const text = "Meet me at one";
    await ann.api.put(`/posts/${post}`, { post: text });
    await bob.api.put(`/comments/${comment}`, { comment: "I will" });
    await agree([ann, bob, cid], post, {
      by: "ann",
      text,
      comments: ["bob: I will"],
    });
    for (const reader of [ann, bob, cid]) {
      assert.deepEqual(await versionsOf(reader, `/posts/${post}`), [first]);
      assert.deepEqual(await versionsOf(reader, `/comments/${comment}`), [
        "I wil",
      ]);
    }
  },
};
