import type { Comment } from "../../../features/comments/index.ts";
import type {
  CommentId,
  PersonId,
  PhotoId,
  PollId,
  PostId,
} from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Photo } from "../../../features/photos/index.ts";
import type { PollResult } from "../../../features/polls/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { later, timestamp } from "../../../lib/time/clock.ts";
import type { Surroundings } from "../../posts/load-surroundings.ts";
import { ALL_SAMPLES } from "./sample-people.ts";

export const HOUR_MS = 3_600_000;

/** The text with all that Markdown has. */
export const RICH_TEXT = `## Cherries

**Who picks** on *Saturday*? [The map](https://maps.example/orchard) · #garden

| Tree | Ripe in | Baskets |
| - | - | - |
| Early Rivers | June | twelve |

> One basket each.

- ladders
- \`buckets\`

Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz${"e".repeat(90)}`;

/** @param number its own, so that posts on one page do not share their ids */
export function samplePost(
  number: number,
  author: Person,
  now: Date,
  { hoursAgo = 0.05, ...more }: Partial<Post> & { hoursAgo?: number } = {},
): Post {
  const at = timestamp(later(now, -hoursAgo * HOUR_MS));
  return {
    ...{ id: number as PostId, guid: `post${number}`.padEnd(16, "0") },
    ...{ personId: author.id, type: "post", public: true, listed: true },
    text: "The ladders are in the shed.",
    ...{ providerName: "", rootGuid: null, rootPersonId: null },
    ...{ limitedTo: null, aspects: [], eventId: null, nsfw: false },
    ...{ warning: null, language: null, quotableBy: "everyone", emojis: [] },
    ...{ location: null, uri: null, otherGuid: null, participants: null },
    ...{ url: null, pinnedAt: null, createdAt: at, updatedAt: at, ...more },
  };
}

export function peopleById(): ReadonlyMap<PersonId, Person> {
  return new Map(ALL_SAMPLES.map((person) => [person.id, person]));
}

/** A post with nothing around it but its author. */
export function surroundings(more: Partial<Surroundings> = {}): Surroundings {
  return {
    people: peopleById(),
    ...{ roots: new Map(), photos: new Map(), comments: new Map() },
    ...{ likes: new Map(), reactions: new Map(), polls: new Map() },
    ...{ quotes: new Map(), previews: new Map(), events: new Map() },
    answers: { counts: new Map(), own: new Map() },
    ...{ mentioned: new Map(), liked: new Map(), reshared: new Set() },
    ...{ bookmarked: new Set(), ...more },
  };
}

const PICTURES = [
  ["missing-header.png", 1500, 500],
  ["icon-512.png", 512, 512],
  ["recording.png", 300, 300],
  ["avatar.png", 300, 300],
  ["icon-192.png", 192, 192],
] as const;

/** Pictures that every server has. */
export function samplePhotos(baseUrl: string, count: number): Photo[] {
  return PICTURES.slice(0, count).map(([name, width, height], at) => {
    const url = `${baseUrl}/assets/${name}`;
    return {
      ...{ id: at as PhotoId, guid: `photo${at}`, personId: 1 as PersonId },
      ...{
        postId: null,
        commentId: null,
        aspectId: null,
        width,
        height,
        blurhash: "",
      },
      text: at === 1 ? "" : `Picture ${at + 1}: two overlapping circles`,
      focus: at === 2 ? [-1, 1] : null,
      ...{ mediaType: "image/png", playback: null, sizes: [] },
      remote: { url, thumbnailUrl: url },
      ...{ isProfile: false, isHeader: false, createdAt: "", updatedAt: "" },
    };
  });
}

/** A poll with these votes, whose answers are named after their number. */
export function samplePoll(
  question: string,
  votes: readonly (readonly [answer: string, votes: number])[],
  more: {
    readonly multiple?: boolean;
    readonly endsAt?: Date;
    readonly isHidden?: boolean;
    readonly chosen?: readonly number[];
  } = {},
): PollResult {
  const { multiple = false, endsAt, chosen = [], isHidden = false } = more;
  const guidOf = (at: number) => `answer${at}`;
  return {
    poll: {
      ...{ id: 1 as PollId, guid: "poll", postId: 0 as PostId },
      ...{ question, multiple, reportedVoters: null, hidesTotals: isHidden },
      endsAt: endsAt ? timestamp(endsAt) : null,
      answers: votes.map(([text], id) => ({
        ...{ id, guid: guidOf(id), text, reportedVotes: null },
      })),
    },
    votes: isHidden ? null : new Map(votes.map(([, given], id) => [id, given])),
    allVotes: votes.reduce((sum, [, given]) => sum + given, 0),
    voters: votes.reduce((sum, [, given]) => sum + given, 0),
    ownVotes: chosen.map(guidOf),
  };
}

/** @param place its number, and that of the comment that it answers */
export function sampleComment(
  post: Post,
  author: Person,
  [at, parent]: readonly [at: number, parent: number | null],
  now: Date,
  more: Partial<Comment> = {},
): Comment {
  const written = timestamp(later(now, (at - 50) * HOUR_MS));
  const guidOf = (number: number) => `comment${number}`.padEnd(16, "0");
  return {
    ...{ id: at as CommentId, guid: guidOf(at), postId: post.id },
    ...{ personId: author.id, text: "Gladly, with two baskets.", emojis: [] },
    ...{ warning: null, language: null, uri: null },
    parentGuid: parent === null ? null : guidOf(parent),
    ...{ createdAt: written, updatedAt: written, ...more },
  };
}
