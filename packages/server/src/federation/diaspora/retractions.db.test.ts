import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  signRelayable,
  type EventParticipation,
  type PollParticipation,
  type Retraction,
} from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Fact } from "../../features/facts.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import { createFanOut } from "../outbound/fan-out.ts";
import type { Dispatch } from "../outbound/outgoing.ts";
import { createDiasporaSender } from "./create-sender.ts";
import {
  assertDone,
  assertRefused,
  commentBy,
  publish,
  reshareOf,
  statusMessage,
} from "./entities.fixture.ts";
import {
  openHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import { hangPicture } from "./pictures.fixture.ts";
import {
  findSignature,
  type RelayableKind,
} from "./records/relayable-store.ts";
import { renderFor } from "./rendered.fixture.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;

  before(async () => {
    home = await openHomeServer(kind);
    alice = await home.signUp("alice");
    bob = await home.remotePerson("bob");
    eve = await home.remotePerson("eve");
  });
  after(() => home.close());

  const author = () => ({
    userId: alice.userId ?? assert.fail(),
    personId: alice.id,
  });

  const retraction = (
    targetType: string,
    targetGuid: string,
    by: RemotePersonWithKey,
  ): Retraction => ({
    type: "retraction",
    author: by.handle,
    targetGuid,
    targetType,
  });

  const isSigned = async (of: RelayableKind, guid: string) =>
    (await findSignature(home.deps.db.read, of, guid)) !== undefined;

  /** The dispatches of a fact, as its job creates them. */
  async function fanOut(fact: Fact): Promise<Dispatch[]> {
    const sent: Dispatch[] = [];
    const run = createFanOut(
      {
        ...home.features,
        dispatch: async (dispatches) => void sent.push(...dispatches),
        senders: { diaspora: createDiasporaSender(home.deps) },
      },
      { before: [], after: [] },
    );
    const { signal } = new AbortController();
    await run(fact, { signal } as Parameters<typeof run>[1]);
    return sent.filter(({ deliveries }) => deliveries.length > 0);
  }

  async function askedBy() {
    const { posts, polls } = home.features;
    const asked = { question: "Tea?", answers: ["yes", "no"] };
    const attach = polls.ask(asked) ?? assert.fail();
    const post = await posts.publish({
      author: author(),
      text: "Well",
      attach,
    });
    return (await polls.find({ postId: post.id })) ?? assert.fail();
  }

  const voteBy = (
    by: RemotePersonWithKey,
    poll: Awaited<ReturnType<typeof askedBy>>,
  ): Promise<PollParticipation> =>
    signRelayable(
      {
        type: "poll_participation",
        author: by.handle,
        guid: newGuid(),
        parentGuid: poll.guid,
        pollAnswerGuid: poll.answers[0]?.guid ?? assert.fail(),
      },
      by.privateKey,
    );

  test("a vote is taken back by its voter alone, and that is passed on", async () => {
    const poll = await askedBy();
    const vote = await voteBy(bob, poll);
    assertDone(await home.receivePublicly(vote, bob), "stored");
    const { posts, polls } = home.features;
    await posts.subscribe(poll.postId, eve.person.id);
    const byEve = retraction("PollParticipation", vote.guid, eve);
    assertRefused(await home.receivePublicly(byEve, eve));
    const spoofed = { ...byEve, author: bob.handle };
    assertRefused(await home.receivePublicly(spoofed, eve));
    assert.ok(await polls.findVote({ guid: vote.guid }));
    const own = retraction("PollParticipation", vote.guid, bob);
    assertDone(await home.receivePublicly(own, bob), "retracted");
    assertDone(await home.receivePublicly(own, bob), "known");
    assert.equal(await polls.findVote({ guid: vote.guid }), undefined);
    assertRefused(await home.receivePublicly(vote, bob));
    const { guid } = vote;
    const by = bob.person.id;
    const sent = await fanOut({
      type: "vote.retracted",
      guid,
      authorId: by,
      by,
    });
    assert.deepEqual(
      sent.flatMap(({ deliveries }) => deliveries.map(({ url }) => url)),
      ["https://eve.example/receive/public"],
    );
  });

  test("an answer to an event is taken back by whom it is from, not by the owner of the event", async () => {
    const { events, participations } = home.features;
    const event = await events.create({
      owner: author(),
      start: "2030-01-01T00:00:00Z",
      end: "2030-01-01T01:00:00Z",
      summary: "Feast",
      announce: true,
    });
    const answer = await signRelayable<EventParticipation>(
      {
        type: "event_participation",
        author: bob.handle,
        guid: newGuid(),
        parentGuid: event.guid,
        status: "accepted",
      },
      bob.privateKey,
    );
    const { guid } = answer;
    assertDone(await home.receivePublicly(answer, bob), "stored");
    assert.ok(await isSigned("EventParticipation", guid));
    const byEve = retraction("EventParticipation", guid, eve);
    assertRefused(await home.receivePublicly(byEve, eve));
    const own = retraction("EventParticipation", guid, bob);
    assertDone(await home.receivePublicly(own, bob), "retracted");
    assertDone(await home.receivePublicly(own, bob), "known");
    assert.equal(await participations.find({ guid }), undefined);
    assert.ok(!(await isSigned("EventParticipation", guid)));
    assertRefused(await home.receivePublicly(answer, bob));
  });

  test("a picture that is deleted alone is taken back where its post went", async () => {
    const { photos } = home.features;
    for (const limitedTo of [undefined, bob.person]) {
      const post = await publish(home, alice, limitedTo);
      await home.features.posts.subscribe(post.id, eve.person.id);
      const { guid } = await hangPicture(home, alice, post.id);
      await photos.remove(author(), { guid });
      assert.equal(await photos.find({ guid }), undefined);
      const fact = { type: "photo.retracted", guid, by: alice.id } as const;
      const urls = (await fanOut(fact)).flatMap(({ deliveries }) =>
        deliveries.map(({ url }) => url),
      );
      const own = `https://bob.example/receive/users/${bob.person.guid}`;
      assert.deepEqual(
        urls,
        limitedTo ? [own] : ["https://eve.example/receive/public"],
      );
      const [sent] = await renderFor(home, fact, alice, [eve]);
      assert.equal(sent?.type, "retraction");
      assert.deepEqual([sent.targetType, sent.targetGuid], ["Photo", guid]);
    }
  });

  test("Friendica's names for posts are understood", async () => {
    const { posts } = home.features;
    const post = statusMessage(bob);
    await home.receivePublicly(post, bob);
    const reshare = reshareOf(post, eve);
    await home.receivePublicly(reshare, eve);
    const steps = [
      ["Reshare", reshare, eve, bob],
      ["StatusMessage", post, bob, eve],
    ] as const;
    for (const [type, { guid }, by, other] of steps) {
      const foreign = retraction(type, guid, other);
      assertRefused(await home.receivePublicly(foreign, other));
      const own = retraction(type, guid, by);
      assertDone(await home.receivePublicly(own, by), "retracted");
      assert.equal(await posts.find({ guid }), undefined);
    }
    const strange = retraction("Nonsense", post.guid, bob);
    assertDone(await home.receivePublicly(strange, bob), "ignored: retraction");
  });

  test("signed documents are forgotten, once their retraction has been sent", async () => {
    const post = await publish(home, alice);
    await home.features.posts.subscribe(post.id, eve.person.id);
    const comment = await commentBy(bob, post.guid);
    await home.receivePublicly(comment, bob);
    const { guid } = comment;
    assert.ok(await isSigned("Comment", guid));
    await home.receivePublicly(retraction("Comment", guid, bob), bob);
    const by = bob.person.id;
    const fact = { type: "comment.retracted", guid, authorId: by, by } as const;
    const sent = await fanOut(fact);
    assert.equal(sent.length, 1);
    assert.ok(!(await isSigned("Comment", guid)));
  });

  test("with a post what was signed below it is forgotten", async () => {
    const poll = await askedBy();
    const { posts } = home.features;
    const post = (await posts.find({ id: poll.postId })) ?? assert.fail();
    const comment = await commentBy(bob, post.guid);
    const vote = await voteBy(bob, poll);
    await home.receivePublicly(comment, bob);
    await home.receivePublicly(vote, bob);
    await posts.deleteOrHide(author(), post.guid);
    assert.ok(await isSigned("Comment", comment.guid));
    const fact = { guid: post.guid, by: alice.id };
    await fanOut({ type: "post.retracted", ...fact });
    assert.ok(!(await isSigned("Comment", comment.guid)));
    assert.ok(!(await isSigned("PollParticipation", vote.guid)));
  });

  test("the author that a retraction names counts for nothing, also where that server is blocked", async () => {
    const shut = await home.remotePerson("shut");
    const post = statusMessage(bob);
    await home.receivePublicly(post, bob);
    const comment = await commentBy(shut, post.guid);
    assertDone(await home.receivePublicly(comment, bob), "stored");
    const { hostPolicies } = home.features;
    assert.ok(await hostPolicies.set(null, "shut.example", { blocked: true }));
    const relayed = retraction("Comment", comment.guid, shut);
    assertDone(await home.receivePublicly(relayed, bob), "retracted");
  });

  test("another person's retraction of the same Guid does not prevent the author's", async () => {
    const post = await publish(home, alice);
    const { guid } = await commentBy(bob, post.guid);
    const squatted = { ...(await commentBy(eve, post.guid)), guid };
    const signed = await signRelayable(squatted, eve.privateKey);
    assertDone(await home.receivePublicly(signed, eve), "stored");
    const takeBack = (by: RemotePersonWithKey) =>
      home.receivePublicly(retraction("Comment", guid, by), by);
    assertDone(await takeBack(eve), "retracted");
    assertDone(await takeBack(eve), "known");
    assert.equal((await takeBack(bob)).kind, "wait");
    await fanOut({
      type: "comment.retracted",
      guid,
      authorId: eve.person.id,
      by: eve.person.id,
    });
    const late = await signRelayable(
      { ...(await commentBy(bob, post.guid)), guid },
      bob.privateKey,
    );
    assertDone(await home.receivePublicly(late, bob), "stored");
    assertDone(await takeBack(bob), "retracted");
  });
});
