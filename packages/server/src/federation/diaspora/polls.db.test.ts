import assert from "node:assert/strict";
import { test } from "node:test";
import {
  parseEntity,
  parseEnvelope,
  signRelayable,
  verifyEnvelope,
  type Entity,
  type PollParticipation,
  type StatusMessage,
} from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { PostId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import type { AskedPoll, PollVote } from "../../features/polls/index.ts";
import { newGuid } from "../../lib/guids.ts";
import { loadOutgoing } from "../outbound/load/load-outgoing.ts";
import type { Outgoing } from "../outbound/outgoing.ts";
import { createDiasporaSender } from "./create-sender.ts";
import {
  assertDone,
  assertRefused,
  statusMessage,
} from "./entities.fixture.ts";
import {
  seal,
  useHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";

const ASKED: AskedPoll = { question: "Tea?", answers: ["yes *", "no"] };

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;
  useHomeServer(kind, (town) => ({ home, alice, bob, eve } = town));

  const author = () => ({
    userId: alice.userId ?? assert.fail(),
    personId: alice.id,
  });

  async function ask(asked: AskedPoll, more: object = {}) {
    const { posts, polls } = home.features;
    const attach = polls.ask(asked) ?? assert.fail();
    const given = { author: author(), text: "Well", attach, ...more };
    const post = await posts.publish(given);
    const poll = (await polls.find({ postId: post.id })) ?? assert.fail();
    return { post, poll };
  }

  async function rendered(outgoing: Outgoing | undefined): Promise<Entity[]> {
    const sender = createDiasporaSender(home.deps);
    const to = [eve.person, bob.person];
    const sent = await sender.render(outgoing ?? assert.fail(), to);
    // All of it is sent in the name of alice.
    const opened = sent.map(({ document }) =>
      verifyEnvelope(parseEnvelope(document), alice.publicKeyPem),
    );
    return (await Promise.all(opened)).map(({ payloadXml }) =>
      parseEntity(payloadXml),
    );
  }

  async function renderedPost(postId: PostId): Promise<StatusMessage> {
    const fact = { type: "post.published", postId, by: alice.id } as const;
    const [entity] = await rendered(await loadOutgoing(home.features, fact));
    if (entity?.type !== "status_message") assert.fail("No post was rendered");
    return entity;
  }

  const loadVote = ({ id: voteId, personId: by }: PollVote) =>
    loadOutgoing(home.features, { type: "poll.voted", voteId, by });

  const voteBy = (
    { handle, privateKey }: RemotePersonWithKey,
    parentGuid: string,
    pollAnswerGuid: string,
  ): Promise<PollParticipation> =>
    signRelayable(
      {
        type: "poll_participation",
        author: handle,
        guid: newGuid(),
        parentGuid,
        pollAnswerGuid,
      },
      privateKey,
    );

  async function votes(postId: PostId): Promise<number[]> {
    const all = await home.features.polls.listResults([postId], null);
    const result = all.get(postId) ?? assert.fail();
    return result.poll.answers.map(({ id }) => result.votes?.get(id) ?? 0);
  }

  const answers = (poll: { answers: readonly { guid: string }[] }) =>
    poll.answers.map(({ guid }) => guid) as [string, string];

  test("a poll goes out with its post", async () => {
    const { post, poll } = await ask(ASKED);
    const entity = await renderedPost(post.id);
    assert.equal(entity.text, "Well");
    assert.equal(entity.poll?.guid, poll.guid);
    assert.equal(entity.poll.question, "Tea?");
    assert.deepEqual(
      entity.poll.pollAnswers.map(({ guid, answer }) => [guid, answer]),
      poll.answers.map(({ guid, text }) => [guid, text]),
    );
  });

  test("a poll that takes several answers goes out as text, and its votes stay here", async () => {
    const { post, poll } = await ask({ ...ASKED, multiple: true });
    const entity = await renderedPost(post.id);
    assert.equal(entity.poll, undefined);
    assert.equal(entity.text, "Well\n\n**Tea?**\n\n- yes *\n- no");
    await home.features.polls.vote(author(), post, answers(poll));
    assert.deepEqual(await votes(post.id), [1, 1]);
    const own = await home.features.polls.listResults([post.id], alice.id);
    assert.equal(own.get(post.id)?.ownVotes.length, 2);
    const { id } = await home.deps.db.read
      .selectFrom("poll_votes")
      .select("id")
      .where("poll_id", "=", poll.id)
      .limit(1)
      .executeTakeFirstOrThrow();
    const voteId = id;
    const fact = { type: "poll.voted", voteId, by: alice.id } as const;
    const outgoing = await loadOutgoing(home.features, fact);
    assert.equal(outgoing?.kind, "vote");
    assert.deepEqual(await rendered(outgoing), []);
  });

  test("a warning is a tag there", async () => {
    const { post } = await ask(ASKED, { nsfw: true });
    assert.equal((await renderedPost(post.id)).text, "Well\n\n#nsfw");
    const tagged = await ask(ASKED, { text: "#NSFW well" });
    assert.equal(tagged.post.nsfw, true);
    assert.equal((await renderedPost(tagged.post.id)).text, "#NSFW well");
    const long = await ask(ASKED, { nsfw: true, text: "🦌".repeat(65_535) });
    const { text = "" } = await renderedPost(long.post.id);
    assert.ok(text.endsWith("🦌\n\n#nsfw"));
    assert.equal([...text].length, 65_535);
  });

  test("a vote from elsewhere counts once, and is passed on as it was signed", async () => {
    const { post, poll } = await ask(ASKED);
    const [yes, no] = answers(poll);
    const vote = await voteBy(bob, poll.guid, yes);
    assertDone(await home.receivePublicly(vote, bob), "stored");
    assertDone(await home.receivePublicly(vote, bob), "known");
    for (const answer of [yes, no])
      assertRefused(
        await home.receivePublicly(await voteBy(bob, poll.guid, answer), bob),
      );
    assert.deepEqual(await votes(post.id), [1, 0]);
    const stored = await home.features.polls.findVote({ guid: vote.guid });
    const [passedOn] = await rendered(await loadVote(stored ?? assert.fail()));
    assert.deepEqual(passedOn, vote);
  });

  test("a vote on a poll that is not here brings its post", async () => {
    const guid = newGuid();
    const pollAnswers = ["yes", "no"].map((answer) => ({
      ...{ type: "poll_answer" as const, guid: newGuid(), answer },
    }));
    const post = {
      ...statusMessage(eve),
      poll: { type: "poll" as const, guid, question: "Here?", pollAnswers },
    };
    const url = `https://eve.example/fetch/poll/${guid}`;
    home.shelf.set(url, await seal(post, eve));
    const vote = await voteBy(bob, guid, pollAnswers[1]?.guid ?? "");
    assertDone(await home.receivePublicly(vote, eve), "stored");
    const stored = await home.features.posts.find({ guid: post.guid });
    assert.ok(stored);
  });

  test("a vote that is forged, unknown or not the sender's is refused", async () => {
    const { post, poll } = await ask(ASKED);
    const [yes, no] = answers(poll);
    const vote = await voteBy(bob, poll.guid, yes);
    const signed = vote.signed ?? assert.fail();
    const properties = signed.properties.map(
      ([name, value]): [string, string] => [name, value === yes ? no : value],
    );
    const forged = {
      ...vote,
      pollAnswerGuid: no,
      signed: { ...signed, properties },
    };
    assertRefused(await home.receivePublicly(forged, bob));
    assertRefused(await home.receivePublicly(vote, eve));
    const other = await ask(ASKED);
    const foreign = await voteBy(bob, poll.guid, answers(other.poll)[0]);
    assertRefused(await home.receivePublicly(foreign, bob));
    const unknown = await voteBy(bob, newGuid(), yes);
    assert.equal((await home.receivePublicly(unknown, bob)).kind, "wait");
    assert.deepEqual(await votes(post.id), [0, 0]);
  });

  test("after its end, and of those who cannot see it, a poll takes no votes", async () => {
    const { aspects } = home.features;
    const { id: aspectId } = await aspects.create(author().userId, "few");
    const limited = await ask(ASKED, {
      audience: { kind: "aspects", aspectIds: [aspectId] },
    });
    const [yes] = answers(limited.poll);
    const vote = await voteBy(eve, limited.poll.guid, yes);
    assertRefused(await home.receivePrivately(vote, eve, alice));
    const { post, poll } = await ask(ASKED);
    const ends_at = "2020-01-01T00:00:00.000Z";
    await home.deps.db.transaction((tx) =>
      tx
        .updateTable("polls")
        .set({ ends_at })
        .where("id", "=", poll.id)
        .execute(),
    );
    const late = await voteBy(eve, poll.guid, answers(poll)[0]);
    assertRefused(await home.receivePublicly(late, eve));
    assert.deepEqual(await votes(post.id), [0, 0]);
  });

  test("a poll from elsewhere is answered to its author, with a signature", async () => {
    const entity: StatusMessage = {
      ...statusMessage(bob),
      text: "Look #NSFW",
      poll: {
        type: "poll",
        guid: newGuid(),
        question: "Which\none?",
        pollAnswers: ["this", "that"].map((answer) => ({
          type: "poll_answer",
          guid: newGuid(),
          answer,
        })),
      },
    };
    assertDone(await home.receivePublicly(entity, bob), "stored");
    const { posts, polls } = home.features;
    const post = (await posts.find(entity)) ?? assert.fail();
    assert.equal(post.nsfw, true);
    const poll = (await polls.find({ postId: post.id })) ?? assert.fail();
    assert.equal(poll.question, "Which one?");
    assert.deepEqual([poll.multiple, poll.endsAt], [false, null]);
    const [, that] = answers(poll);
    await polls.vote(author(), post, [that]);
    const { id } = await home.deps.db.read
      .selectFrom("poll_votes")
      .select("id")
      .where("poll_id", "=", poll.id)
      .executeTakeFirstOrThrow();
    const vote = await polls.findVote({ id: id });
    const [sent, participation] = await rendered(
      await loadVote(vote ?? assert.fail()),
    );
    assert.equal(sent?.type, "poll_participation");
    assert.equal(sent.parentGuid, poll.guid);
    assert.equal(sent.pollAnswerGuid, that);
    assert.ok(sent.signed?.authorSignature);
    assert.equal(participation?.type, "participation");
    // Its author forwards the votes of others; a forwarded copy of a local vote is not counted
    // again.
    const other = await voteBy(eve, poll.guid, that);
    assertRefused(await home.receivePublicly(other, eve));
    assertDone(await home.receivePublicly(other, bob), "stored");
    assertDone(await home.receivePublicly(sent, bob), "known");
    assert.deepEqual(await votes(post.id), [0, 2]);
  });

  test("a poll that has another one's Guid does not take its place", async () => {
    const { post, poll } = await ask(ASKED);
    const thief: StatusMessage = {
      ...statusMessage(bob),
      poll: {
        type: "poll",
        guid: poll.guid,
        question: "Mine?",
        pollAnswers: answers(poll).map((guid) => ({
          type: "poll_answer",
          guid,
          answer: "mine",
        })),
      },
    };
    assertDone(await home.receivePublicly(thief, bob), "stored");
    const { polls } = home.features;
    assert.equal((await polls.find({ guid: poll.guid }))?.postId, post.id);
  });
});
