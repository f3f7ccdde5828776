import type { PersonId } from "../../packages/server/src/db/schema/ids.ts";
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import {
  askForChanges,
  watchChanges,
  type EventReader,
} from "../../packages/server/test/support/streams/event-reader.ts";
import { HELD_WORDS } from "./privacy/people.ts";
import { inHomes } from "./privacy/probes.ts";
import {
  isVisible,
  KINDS,
  TAG,
  VIEWERS,
  type Subject,
  type Viewer,
} from "./privacy/subjects.ts";
import { PrivacyWorld } from "./privacy/world.ts";

/** The kinds that change something in a home: everyone there follows the tag of every post. */
const KINDS_OF_CHANGES = ["post", "comment", "like", "conversation"] as const;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let world: PrivacyWorld;
  const streams = new Map<Viewer, EventReader>();
  before(async () => {
    world = await PrivacyWorld.create(kith());
    // Everyone has it in their home: the others follow its tag, which has its own row.
    const { post } = await world.make("post", "elsewhere");
    const remote = await findAuthor(post);
    const form = { name: "elsewhere" };
    const { ID } = await world.firstMember.post<{ ID: number }>(
      "/aspects",
      form,
    );
    await world.firstMember.post(`/people/${remote}/aspects/${ID}`);
    await kith().settle();
    for (const viewer of VIEWERS) {
      const { token } = world.credentialsOf(viewer);
      if (token === undefined || viewer === "deletedToken") continue;
      streams.set(viewer, await watchChanges(kith().baseUrl, token));
    }
  });

  test("without a valid token there is no stream", async () => {
    for (const token of ["", world.credentialsOf("deletedToken").token ?? ""]) {
      const answer = await askForChanges(kith().baseUrl, token);
      assert.equal(answer.statusCode, 401);
      answer.destroy();
    }
  });

  for (const about of KINDS_OF_CHANGES)
    describe(about, () => {
      for (const audience of KINDS[about])
        test(`${about}, ${audience}: reported only to those who may see it, from its beginning to its end`, async () => {
          const subject = await world.make(about, audience);
          await kith().settle();
          await assertEventsSeen(subject, "made");
          await change(subject);
          await kith().settle();
          await assertEventsSeen(subject, "changed");
          await retract(subject);
          await kith().settle();
          await assertEventsSeen(subject, "deleted");
        });
    });

  test("a comment that waits for a moderator is reported to nobody", async () => {
    const { post } = await world.make("post", "public");
    await kith().settle();
    await readToFence();
    const path = `/posts/${post.id}/comments`;
    const sent = { form: { comment: HELD_WORDS } };
    const { status } = await world.author.call("POST", path, sent);
    assert.equal(status, 400);
    await kith().settle();
    for (const [viewer, seen] of await readToFence())
      assert.equal(seen, "", viewer);
  });

  async function change({ post, audience }: Subject): Promise<void> {
    // Nobody here can comment on it.
    if (audience === "heldElsewhere") return;
    const by = audience === "elsewhere" ? world.firstMember : world.author;
    await by.post(`/posts/${post.id}/comments`, { comment: "changed" });
  }

  /** By its author, from here or elsewhere. */
  async function retract({ post }: Subject): Promise<void> {
    const { posts } = kith().server.features;
    const author = await findAuthor(post);
    await posts.receiveRetraction({ guid: post.guid }, author);
  }

  async function findAuthor({ guid }: Subject["post"]): Promise<PersonId> {
    const found = await kith().server.features.posts.find({ guid });
    assert.ok(found);
    return found.personId;
  }

  async function assertEventsSeen(
    subject: Subject,
    when: string,
  ): Promise<void> {
    const fence = await readToFence();
    for (const [viewer, seen] of fence) {
      const label = `${viewer}, ${when}: ${seen}`;
      const isNamed = seen.includes(subject.post.guid);
      if (!isVisible(subject.audience, viewer)) {
        assert.ok(!isNamed && !seen.includes(String(subject.post.id)), label);
        assert.equal(seen, "", `${label}: there is no hint at all`);
      } else if (inHomes(subject, viewer)) assert.ok(isNamed, label);
    }
  }

  /** The events of each viewer before a post by a person whom nobody blocks. */
  async function readToFence(): Promise<Map<Viewer, string>> {
    const form = { post: `fence #${TAG}`, aspectID: 0 };
    const { Guid } = await world.stranger.post<{ Guid: string }>(
      "/posts",
      form,
    );
    const all = new Map<Viewer, string>();
    for (const [viewer, stream] of streams) {
      const events = await stream.until(({ data }) => data["Guid"] === Guid);
      const texts = events.map(
        ({ event, data }) => event + JSON.stringify(data),
      );
      all.set(viewer, texts.join("\n"));
    }
    return all;
  }
});
