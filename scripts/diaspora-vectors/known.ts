import { createHash } from "node:crypto";
import {
  parseEntity,
  parseEnvelope,
  type PollParticipation,
} from "@kith/diaspora";
import type { Person } from "../../packages/server/src/features/people/index.ts";
import type {
  Attach,
  Post,
  ReceivedPhoto,
  ReceivedPost,
} from "../../packages/server/src/features/posts/index.ts";
import type {
  KnownEntity,
  ReceiveVector,
  VectorFile,
  VectorPerson,
} from "./file.ts";
import { userIdOf, type Home } from "./home.ts";
import {
  LONG_AGO,
  personOf,
  storeAnswer,
  storeComment,
  storeLike,
  storeVote,
  valueOf,
  type Seed,
} from "./kinds/reactions.ts";
import { openBody } from "./kinds/pure.ts";

/**
 * Gives the server the `known_entities`. The local people have all others in an
 * aspect, so that their limited posts have readers; the witness follows them, so that
 * there is always a recipient to relay to. Polls, events and photos get posts of their
 * own.
 * @throws {BadVectorFile} if an entity refers to a missing one
 */
export async function storeKnown(
  home: Home,
  file: VectorFile,
  witness: VectorPerson,
): Promise<void> {
  const readers = await befriend(home, file, witness);
  const seed = { home, file, answers: await listAnswers(file), readers };
  const order = ["Post", "Poll", "Event", "Photo", "Comment", ""];
  const rank = ({ type }: KnownEntity) => {
    if (["StatusMessage", "Reshare"].includes(type)) return 0;
    const found = order.indexOf(type);
    return found < 0 ? order.length : found;
  };
  const sorted = file.known_entities.toSorted((a, b) => rank(a) - rank(b));
  for (const known of sorted) await store(seed, known);
  // Follow-up notifications are independent of the vectors.
  await home.db.transaction(async (tx) => {
    await tx.deleteFrom("jobs").execute();
    await tx.deleteFrom("job_documents").execute();
    await tx.deleteFrom("notifications").execute();
  });
}

async function befriend(
  { features, ...home }: Home,
  { people }: VectorFile,
  witness: VectorPerson,
): Promise<Person[]> {
  const known: Person[] = [];
  for (const { handle } of [...people, witness]) {
    const person = await features.people.find({ handle });
    if (person) known.push(person);
  }
  const locals = known.filter(({ userId }) => userId !== null);
  const others = known.filter(({ userId }) => userId === null);
  for (const local of locals) {
    const userId = await userIdOf({ ...home, features }, local.handle);
    const aspect = await features.aspects.create(userId, "Everybody");
    const by = { userId, personId: local.id };
    for (const { id, handle } of others) {
      await features.aspects.addPerson(by, aspect.id, id);
      if (handle === witness.handle)
        await features.contacts.receiveSharing(userId, id, true);
    }
  }
  return known;
}

/** The answers of the polls are known only from the votes. */
async function listAnswers(file: VectorFile): Promise<Map<string, string[]>> {
  const answers = new Map<string, string[]>();
  for (const vector of file.vectors) {
    if (vector.kind !== "receive") continue;
    const vote = await readVote(file, vector);
    if (!vote) continue;
    const { parentGuid, pollAnswerGuid } = vote;
    const known = answers.get(parentGuid) ?? [];
    if (!known.includes(pollAnswerGuid)) known.push(pollAnswerGuid);
    answers.set(parentGuid, known);
  }
  return answers;
}

async function readVote(
  file: VectorFile,
  vector: ReceiveVector,
): Promise<PollParticipation | undefined> {
  try {
    const envelope = parseEnvelope(await openBody(file, vector));
    const entity = parseEntity(envelope.payloadXml());
    return entity.type === "poll_participation" ? entity : undefined;
  } catch {
    // Many bodies are malformed on purpose.
    return undefined;
  }
}

async function store(seed: Seed, known: KnownEntity): Promise<void> {
  const { guid } = known;
  switch (known.type) {
    case "Post":
    case "StatusMessage":
      await storePost(seed, known, guid);
      return;
    case "Reshare":
      return storeReshare(seed, known);
    case "Poll":
      return storePoll(seed, known);
    case "Event":
      return storeEvent(seed, known);
    case "Photo":
      return storePhoto(seed, known);
    case "Comment":
      return storeComment(seed, known);
    case "Like":
      return storeLike(seed, known);
    case "PollParticipation":
      return storeVote(seed, known);
    case "EventParticipation":
      return storeAnswer(seed, known);
  }
}

async function postOf(
  seed: Seed,
  known: KnownEntity,
  guid: string,
): Promise<ReceivedPost> {
  const author = await personOf(seed, known.author);
  const isHere = author.userId !== null;
  const given = seed.readers.filter(
    ({ id, userId }) => id !== author.id && (isHere || userId !== null),
  );
  return {
    guid,
    personId: author.id,
    type: "post",
    public: known.public,
    listed: true,
    text: "Something that was said before",
    providerName: "",
    rootGuid: null,
    rootPersonId: null,
    uri: null,
    url: null,
    createdAt: LONG_AGO,
    recipients: known.public ? [] : given.map(({ id }) => id),
  };
}

async function storePost(
  seed: Seed,
  known: KnownEntity,
  guid: string,
  more: { attach?: Attach; photos?: readonly ReceivedPhoto[] } = {},
): Promise<Post> {
  const post = await postOf(seed, known, guid);
  return valueOf(
    known,
    await seed.home.features.posts.receive({ ...post, ...more }),
  );
}

async function storeReshare(seed: Seed, known: KnownEntity): Promise<void> {
  const root = await storePost(seed, known, containingPostGuid(known));
  valueOf(
    known,
    await seed.home.features.posts.receive({
      ...(await postOf(seed, known, known.guid)),
      type: "reshare",
      text: "",
      rootGuid: root.guid,
      rootPersonId: root.personId,
    }),
  );
}

async function storePoll(seed: Seed, known: KnownEntity): Promise<void> {
  const named = seed.answers.get(known.guid) ?? [];
  const guids = [
    ...named,
    `${containingPostGuid(known)}1`,
    `${containingPostGuid(known)}2`,
  ];
  const attach = seed.home.features.polls.attach({
    guid: known.guid,
    question: "Which one?",
    multiple: false,
    endsAt: null,
    answers: guids.map((guid, at) => ({ guid, text: `Number ${at}` })),
  });
  await storePost(seed, known, containingPostGuid(known), { attach });
}

async function storeEvent(seed: Seed, known: KnownEntity): Promise<void> {
  const post = await postOf(seed, known, containingPostGuid(known));
  valueOf(
    known,
    await seed.home.features.events.receivePost(post, {
      guid: known.guid,
      uid: `${known.guid}@vectors`,
      allDay: false,
      start: LONG_AGO,
      end: null,
      summary: "Something that happens",
      description: "",
      location: "",
      timeZone: "UTC",
    }),
  );
}

async function storePhoto(seed: Seed, known: KnownEntity): Promise<void> {
  const url = `https://${known.author.split("@")[1] ?? ""}/${known.guid}.png`;
  const photos = [{ guid: known.guid, url, thumbnailUrl: url }];
  await storePost(seed, known, containingPostGuid(known), { photos });
}

/** Guid of the containing post, which the file does not name. */
function containingPostGuid({ type, guid }: KnownEntity): string {
  const digest = createHash("sha256").update(`${type}:${guid}`).digest("hex");
  return digest.slice(0, 32);
}
