import type { Person } from "../../../packages/server/src/features/people/index.ts";
import type { Post } from "../../../packages/server/src/features/posts/index.ts";
import { BadVectorFile, type KnownEntity, type VectorFile } from "../file.ts";
import type { Home } from "../home.ts";

// Stores comments, likes, votes and answers before the vectors run.

/** Before all times in the vectors. */
export const LONG_AGO = "2019-01-01T00:00:00.000Z";

/** Entities that the server is to know. */
export type Seed = {
  readonly home: Home;
  readonly file: VectorFile;
  /** For each poll the Guids of the answers chosen in the vectors. */
  readonly answers: ReadonlyMap<string, readonly string[]>;
  /** All possible recipients of a limited post. */
  readonly readers: readonly Person[];
};

/** The author with that handle. @throws {BadVectorFile} */
export async function personOf(
  { home }: Seed,
  handle: string,
): Promise<Person> {
  const person = await home.features.people.find({ handle });
  if (!person)
    throw new BadVectorFile(
      `${handle} has written something and cannot be found`,
    );
  return person;
}

/** Stores a comment on its post. @throws {BadVectorFile} */
export async function storeComment(
  seed: Seed,
  known: KnownEntity,
): Promise<void> {
  const { id: personId } = await personOf(seed, known.author);
  const post = await findPost(seed, known);
  valueOf(
    known,
    await seed.home.features.comments.receive({
      guid: known.guid,
      postId: post.id,
      personId,
      text: "Something that was answered before",
      parentGuid: null,
      uri: null,
      createdAt: LONG_AGO,
    }),
  );
}

/** Stores a like of its post or comment. @throws {BadVectorFile} */
export async function storeLike(seed: Seed, known: KnownEntity): Promise<void> {
  const { comments, likes, posts } = seed.home.features;
  const { id: personId } = await personOf(seed, known.author);
  const guid = known.parent?.guid ?? "";
  const comment =
    known.parent?.type === "Comment"
      ? await comments.find({ guid })
      : undefined;
  const post = comment
    ? await posts.find({ id: comment.postId })
    : await findPost(seed, known);
  if (!post) throw missingParent(known);
  valueOf(
    known,
    await likes.receive({
      guid: known.guid,
      postId: post.id,
      commentId: comment?.id ?? null,
      personId,
      positive: true,
      uri: null,
    }),
  );
}

/** Stores a vote for the first answer of its poll. @throws {BadVectorFile} */
export async function storeVote(seed: Seed, known: KnownEntity): Promise<void> {
  const { id: personId } = await personOf(seed, known.author);
  const guid = known.parent?.guid ?? "";
  const poll = await seed.home.features.polls.find({ guid });
  const [answer] = poll?.answers ?? [];
  if (!answer) throw missingParent(known);
  valueOf(
    known,
    await seed.home.features.polls.receive({
      guid: known.guid,
      pollGuid: guid,
      answerGuid: answer.guid,
      personId,
    }),
  );
}

/** Stores an answer to its event. @throws {BadVectorFile} */
export async function storeAnswer(
  seed: Seed,
  known: KnownEntity,
): Promise<void> {
  const { events, participations } = seed.home.features;
  const { id: personId } = await personOf(seed, known.author);
  const event = await events.find({ guid: known.parent?.guid ?? "" });
  if (!event) throw missingParent(known);
  const answer = { guid: known.guid, eventId: event.id, personId };
  valueOf(
    known,
    await participations.receive({ ...answer, status: "accepted" }),
  );
}

async function findPost(seed: Seed, known: KnownEntity): Promise<Post> {
  const guid = known.parent?.guid ?? "";
  const post = await seed.home.features.posts.find({ guid });
  if (!post) throw missingParent(known);
  return post;
}

function missingParent({ type, guid }: KnownEntity): BadVectorFile {
  return new BadVectorFile(`the parent of the ${type} ${guid} is not known`);
}

/** Returns the stored result. @throws {BadVectorFile} if it was refused */
export function valueOf<T>(
  { type, guid }: KnownEntity,
  received: { kind: string; value?: T; reason?: string },
): T {
  if (received.value === undefined)
    throw new BadVectorFile(
      `the ${type} ${guid} cannot be known: ${received.reason ?? "no reason"}`,
    );
  return received.value;
}
