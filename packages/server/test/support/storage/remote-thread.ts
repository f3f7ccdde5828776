import { storeJson } from "../../../src/db/schema/columns/json-text.ts";
import type { PostId } from "../../../src/features/ids.ts";
import type { Person } from "../../../src/features/people/index.ts";
import { newGuid } from "../../../src/lib/guids.ts";
import type { KithServer } from "../server/kith-server.ts";
import { remotePerson, remotePost } from "../remote/remote-people.ts";

export type RemoteThread = {
  readonly id: PostId;
  readonly guid: string;
  readonly author: Person;
  readonly reader: Person;
};

const NOW = "2026-01-03T00:00:00.000Z";

let names = 0;

/** A public post from elsewhere by a person of its own. */
export async function remoteThread(
  kith: KithServer,
  text = "from elsewhere",
): Promise<RemoteThread> {
  names += 1;
  const author = await remotePerson(kith, `author${names}@remote.example`);
  const reader = await remotePerson(kith, `reader${names}@remote.example`);
  const post = await receive(kith, remotePost(author, { text }));
  return { id: post.id, guid: post.guid, author, reader };
}

export async function receive(
  { server }: KithServer,
  post: ReturnType<typeof remotePost>,
) {
  const received = await server.features.posts.receive(post);
  if (received.kind !== "stored") throw new Error(`It is ${received.kind}`);
  return received.value;
}

/** All that other servers say below a post, and keep with it. */
export async function fillThread(
  kith: KithServer,
  { id, guid, reader, author }: RemoteThread,
): Promise<void> {
  const now = NOW;
  const times = { created_at: now, updated_at: now };
  const comment = await commentOn(kith, { id, reader });
  await kith.db.transaction(async (tx) => {
    // As if somebody here had once read the reader in a home.
    await tx
      .insertInto("comment_arrivals")
      .values({
        ...{ position: comment.id, comment_id: comment.id },
        author_id: reader.id,
      })
      .execute();
    await tx
      .insertInto("unplaced_comments")
      .values({ comment_id: comment.id })
      .execute();
    const like = {
      ...({ shareable_type: "Post", shareable_id: id, post_id: id } as const),
      ...{ comment_id: null, person_id: reader.id, positive: true, uri: null },
      ...times,
    };
    const likeGuid = newGuid();
    await tx
      .insertInto("likes")
      .values({ guid: likeGuid, ...like })
      .execute();
    await tx
      .insertInto("reactions")
      .values({
        ...{ uri: `https://remote.example/${guid}`, post_id: id },
        ...{ comment_id: comment.id, person_id: reader.id },
        ...{ emoji: "🔥", emoji_url: null, created_at: now },
      })
      .execute();
    const poll = await tx
      .insertInto("polls")
      .values({
        ...{ guid: newGuid(), post_id: id, question: "Well?", multiple: false },
        ...{ ends_at: null, told_voters: null, created_at: now },
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const answer = await tx
      .insertInto("poll_answers")
      .values({ poll_id: poll.id, guid: newGuid(), text: "Yes", told_votes: 1 })
      .returning("id")
      .executeTakeFirstOrThrow();
    const voteGuid = newGuid();
    await tx
      .insertInto("poll_votes")
      .values({
        ...{ guid: voteGuid, poll_id: poll.id, answer_id: answer.id },
        ...{ person_id: reader.id, created_at: now },
      })
      .execute();
    for (const [kind, of] of [
      ["Comment", comment.guid],
      ["Like", likeGuid],
      ["PollParticipation", voteGuid],
    ] as const)
      await tx
        .insertInto("relayable_signatures")
        .values({ kind, guid: of, properties: "[]", author_signature: "s" })
        .execute();
    await tx
      .insertInto("text_versions")
      .values({ post_id: id, comment_id: null, text: "old", written_at: now })
      .execute();
    await tx
      .insertInto("text_mentions")
      .values({ post_id: id, comment_id: null, person_id: reader.id })
      .execute();
    await tx
      .insertInto("post_subscribers")
      .values({ post_id: id, person_id: reader.id })
      .execute();
    await tx
      .insertInto("proved_documents")
      .values({
        ...{ post_id: id, comment_id: comment.id, like_id: null },
        ...{ participation_id: null, document: "{}" },
      })
      .execute();
    await tx
      .insertInto("post_links")
      .values({ post_id: id, url: "https://remote.example/page", due_at: now })
      .execute();
    await tx
      .insertInto("thread_news")
      .values({ post_id: id, origin: "https://remote.example" })
      .execute();
    await tx
      .insertInto("quotes")
      .values({
        ...{ post_id: id, quoted_uri: "https://gone.example/1" },
        ...{ quoted_guid: null, state: "pending" },
        ...{ authorization_uri: null, changed_at: now },
      })
      .execute();
    await tx
      .insertInto("photos")
      .values({
        ...{ guid: newGuid(), person_id: author.id, post_id: id, position: 0 },
        ...{ aspect_id: null, text: "", width: 1, height: 1, blurhash: "" },
        ...{ media_type: "image/png", storage_key: null, is_profile: false },
        ...{ remote_url: "https://remote.example/p.png", uri: null },
        ...{ remote_thumbnail_url: null, edited_at: null },
        ...{ awaited_post_guid: null, sizes: storeJson([]) },
        ...times,
      })
      .execute();
    await tx
      .insertInto("remote_actors")
      .values({
        ...{ actor_uri: author.addresses.actorUri ?? "", type: "Person" },
        ...{ featured_uri: null, fetched_at: now },
      })
      .execute();
  });
}

/** A comment by the reader, which came long ago. */
export async function commentOn(
  kith: KithServer,
  {
    id,
    reader,
  }: Pick<RemoteThread, "id"> & {
    readonly reader: Pick<Person, "id">;
  },
  createdAt = NOW,
) {
  const guid = newGuid();
  const received = await kith.server.features.comments.receive({
    ...{ guid, postId: id, personId: reader.id, text: "said below" },
    ...{ parentGuid: null, uri: `https://remote.example/${guid}`, createdAt },
  });
  if (received.kind !== "stored") throw new Error(`It is ${received.kind}`);
  return received.value;
}
