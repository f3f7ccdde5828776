import assert from "node:assert/strict";
import type {
  EventRecord,
  PhotoRecord,
  PollRecord,
} from "../../../packages/server/test/support/server/wire.ts";
import { getWholeList } from "../../support/conversation.ts";
import { eventually, type KithProcess } from "../../support/kith-process.ts";
import type { Json } from "../../support/api-client.ts";
import type { Resident } from "../../support/resident.ts";
import type { Servers } from "./town.ts";

const WITHIN_MS = 40_000;

/** A person's view of a post, in words that are the same on every server. */
export type PostView = {
  readonly by: string;
  readonly text: string;
  readonly public: boolean;
  /** The text of a reshared post. */
  readonly passesOn: string | null;
  /** The text of a quoted post, or the state of a quote that is not shown. */
  readonly quotes: string | null;
  /** The descriptions of the photos. */
  readonly photos: readonly string[];
  readonly question: string | null;
  /** How often each answer was chosen. */
  readonly votes: Readonly<Record<string, number>>;
  readonly event: string | null;
  /** The answers to the event, by person. */
  readonly answers: Readonly<Record<string, string>>;
  /** As `ann: Hello`, with the number of likes. */
  readonly comments: readonly string[];
  readonly likes: readonly string[];
  readonly dislikes: readonly string[];
};

/** A post without replies. */
export const BARE: Omit<PostView, "by" | "text"> = {
  public: true,
  passesOn: null,
  quotes: null,
  photos: [],
  question: null,
  votes: {},
  event: null,
  answers: {},
  comments: [],
  likes: [],
  dislikes: [],
};

export type Expected = Pick<PostView, "by" | "text"> & Partial<PostView>;

/** Everything that the service API shows a person of a post. */
export async function viewPost(
  who: Resident,
  guid: string,
): Promise<PostView | "hidden"> {
  const path = `/posts/${guid}`;
  const { status, body } = await who.api.call("GET", path);
  if (status === 404) return "hidden";
  assert.equal(status, 200);
  const post = body as Json;
  const root = post["Root"] as Json | null;
  const poll = post["Poll"] as PollRecord | null;
  const event = post["Event"] as EventRecord | null;
  const likes = await getWholeList(who.api, `${path}/likes`);
  const likers = async (positive: boolean) => {
    const chosen = likes.filter((like) => like["Positive"] === positive);
    const ids = chosen.map((like) => like["PersonID"]);
    return (await namesOf(who, ids)).toSorted();
  };
  return {
    by: await who.nameOf(post["PersonID"]),
    text: String(post["Text"]),
    public: post["Public"] === true,
    passesOn: root && String(root["Text"]),
    quotes: sayQuote(post["Quote"] as QuoteRecord | undefined),
    photos: (post["Photos"] as PhotoRecord[]).map(({ Text }) => Text),
    question: poll && poll.Question,
    votes: Object.fromEntries(
      (poll?.Answers ?? []).map(({ Text, Votes }) => [Text, Votes ?? 0]),
    ),
    event: event && sayEvent(event),
    answers: await sayAnswers(who, event),
    comments: await sayComments(who, path),
    likes: await likers(true),
    dislikes: await likers(false),
  };
}

type QuoteRecord = { readonly State: string; readonly Text?: string };

function sayQuote(quote: QuoteRecord | undefined): string | null {
  return quote ? (quote.Text ?? `(${quote.State})`) : null;
}

/** An event in words. */
export function sayEvent(event: EventRecord): string {
  const { Summary, Start, End = "", Location } = event;
  return `${Summary}, ${Start} to ${End}, ${Location}`;
}

async function sayAnswers(
  who: Resident,
  event: EventRecord | null,
): Promise<Record<string, string>> {
  const answers = event?.Participations ?? [];
  const names = await namesOf(
    who,
    answers.map(({ PersonID }) => PersonID),
  );
  assert.equal(new Set(names).size, names.length, "everybody answers once");
  return Object.fromEntries<string>(
    answers.map(({ Status }, index) => [names[index] ?? "", Status]),
  );
}

async function sayComments(who: Resident, path: string): Promise<string[]> {
  const comments = await getWholeList(who.api, `${path}/comments`);
  const names = await namesOf(
    who,
    comments.map((comment) => comment["PersonID"]),
  );
  return comments
    .map(({ Text, LikesCount }, index) => {
      const liked = LikesCount === 0 ? "" : ` (+${String(LikesCount)})`;
      return `${names[index] ?? ""}: ${String(Text)}${liked}`;
    })
    .toSorted();
}

function namesOf(who: Resident, ids: readonly unknown[]): Promise<string[]> {
  return Promise.all(ids.map((id) => who.nameOf(id)));
}

/** Waits until all of them see exactly this of a post. */
export async function agree(
  viewers: readonly Resident[],
  guid: string,
  expected: Expected,
): Promise<void> {
  for (const who of viewers)
    await eventually(
      async () =>
        assert.deepEqual(
          await viewPost(who, guid),
          { ...BARE, ...expected },
          `as ${who.name} sees it`,
        ),
      WITHIN_MS,
    );
}

/**
 * Waits until all of them see this of a post; people on other servers than its
 * author's see the form of other servers.
 */
export async function agreeAcross(
  viewers: readonly Resident[],
  author: Resident,
  guid: string,
  expected: { readonly here: Expected; readonly elsewhere: Expected },
): Promise<void> {
  for (const who of viewers) {
    const isHere = who.server === author.server;
    await agree([who], guid, isHere ? expected.here : expected.elsewhere);
  }
}

/** The view of a post with a poll on other servers: over ActivityPub the question is in the text. */
export function askedElsewhere(
  { protocol }: Pick<Servers, "protocol">,
  text: string,
  question: string,
): Pick<PostView, "text" | "question"> {
  return protocol === "diaspora"
    ? { text, question }
    : { text: `${text}\n\n**${question}**`, question: "" };
}

/** The event announced by a post, as known to a person's server. */
export async function eventOf(
  who: Resident,
  post: string,
): Promise<EventRecord> {
  const { Event } = await who.api.getRecord(`/posts/${post}`);
  assert.ok(Event, `${who.name} sees an event`);
  return Event as EventRecord;
}

/** Waits until a post does not exist for any of them. */
export async function vanishes(
  viewers: readonly Resident[],
  guid: string,
): Promise<void> {
  for (const who of viewers)
    await eventually(
      async () => assert.equal(await viewPost(who, guid), "hidden", who.name),
      WITHIN_MS,
    );
}

/** Checks that the post does not exist now for these people and for anonymous viewers. */
export async function assertHidden(
  guid: string,
  strangers: readonly Resident[],
  servers: readonly KithProcess[],
): Promise<void> {
  const absent = "0".repeat(32);
  for (const { name, api } of strangers) {
    for (const part of ["", "/comments", "/likes", "/reshares"]) {
      const hidden = await api.call("GET", `/posts/${guid}${part}`);
      assert.equal(hidden.status, 404, `${part} for ${name}`);
      const nothing = await api.call("GET", `/posts/${absent}${part}`);
      assert.deepEqual(hidden, nothing, `${part} for ${name}`);
    }
    for (const path of ["/posts?limit=100", "/posts?visibility=2"]) {
      const listed = await api.getList(path);
      assert.ok(!listed.some((post) => post["Guid"] === guid), name);
    }
  }
  for (const { baseUrl } of servers)
    for (const path of [`/posts/${guid}`, `/fetch/post/${guid}`]) {
      const { status } = await fetch(baseUrl + path, { redirect: "manual" });
      assert.equal(status, 404, `${baseUrl}${path} without signing in`);
    }
}

/** Checks that anyone can read it on this server. */
export async function assertPublicPage(
  { baseUrl }: KithProcess,
  guid: string,
  text: string,
): Promise<void> {
  const response = await fetch(`${baseUrl}/posts/${guid}`);
  assert.equal(response.status, 200);
  assert.ok((await response.text()).includes(text), baseUrl);
}

/** A person's notifications, as `ann: Comment`, one for each. */
export async function listNotifications(who: Resident): Promise<string[]> {
  const notifications = await getWholeList(who.api, "/notifications");
  const names = await namesOf(
    who,
    notifications.map((one) => one["PersonID"]),
  );
  return notifications.map(
    ({ ShareableType, ShareableGuid }, index) =>
      `${names[index] ?? ""}: ${String(ShareableType)} ${String(ShareableGuid)}`,
  );
}

/** Waits until a person has been notified of an object, once. */
export async function isNotified(
  who: Resident,
  guid: string,
  by: Resident,
): Promise<void> {
  await eventually(async () => {
    const notifications = await listNotifications(who);
    const about = notifications.filter((one) => one.endsWith(` ${guid}`));
    const senders = about.map((one) => one.split(":")[0]);
    assert.deepEqual(senders, [by.name], `${who.name} is notified once`);
  }, WITHIN_MS);
}
