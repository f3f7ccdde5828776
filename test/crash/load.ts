import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../support/api-client.ts";
import type { Mark } from "./ledger.ts";
import { attempt, type Act, type Player } from "./player.ts";
import { say, startTalk, TALK } from "./talks.ts";
import { withoutLink } from "./town.ts";

type Seen = {
  readonly id: string;
  readonly guid: string;
  readonly text: string;
};

/** A post in a person's current stream; not one that begins a conversation. */
async function somePost(
  player: Player,
  isWanted: (post: Json) => boolean = () => true,
): Promise<Seen | undefined> {
  const { citizen, random } = player;
  try {
    const { body } = await citizen.who.api.call("GET", "/posts?limit=20");
    if (!Array.isArray(body)) return undefined;
    const posts = (body as Json[]).filter(
      (post) => !String(post["Text"]).startsWith(TALK) && isWanted(post),
    );
    const post = posts[Math.floor(random() * posts.length)];
    return (
      post && {
        id: String(post["ID"]),
        guid: String(post["Guid"]),
        text: withoutLink(String(post["Text"])),
      }
    );
  } catch {
    return undefined;
  }
}

const publish: Act = async (player, name) => {
  const { citizen, ledger, random, posts } = player;
  const isLimited = random() < 0.5;
  const text = `post ${name}`;
  const audience = isLimited ? citizen.members : undefined;
  ledger.startPost(text, citizen.who.name, { audience });
  const { outcome, body } = await attempt(player, "POST", "/posts", {
    post: text,
    aspectID: isLimited ? citizen.aspect : "0",
  });
  ledger.notePost(text, true, outcome);
  if (outcome === "done") posts.set(text, String(body["Guid"]));
};

/** A job publishes it, at a time at which its server may be down. */
const schedule: Act = async (player, name) => {
  const { citizen, ledger, random } = player;
  const isLimited = random() < 0.5;
  const text = `post ${name} on time`;
  const audience = isLimited ? citizen.members : undefined;
  ledger.startPost(text, citizen.who.name, { audience });
  const { least, most } = AHEAD_MS;
  const ahead = least + random() * (most - least);
  const { outcome } = await attempt(player, "POST", "/drafts", {
    post: text,
    aspectID: isLimited ? citizen.aspect : "0",
    publish_at: new Date(Date.now() + ahead).toISOString(),
  });
  ledger.notePost(text, true, outcome);
};

/** Many jobs at once. */
const publishSeveral: Act = async (player, name) => {
  for (let count = 0; count < 4; count += 1)
    await publish(player, `${name}.${count}`);
};

/** Readers elsewhere see the quoted post once its author's server has permitted it. */
const quote: Act = async (player, name) => {
  const { citizen, ledger, posts } = player;
  if (!citizen.seesQuotes) return;
  const quoted = await somePost(
    player,
    (post) => post["Public"] === true && !post["Quote"],
  );
  if (!quoted) return;
  const text = `post ${name} on another`;
  ledger.startPost(text, citizen.who.name, { quotes: quoted.text });
  const { outcome, body } = await attempt(player, "POST", "/posts", {
    post: text,
    aspectID: "0",
    quoteID: quoted.id,
  });
  ledger.notePost(text, true, outcome);
  if (outcome === "done") posts.set(text, String(body["Guid"]));
};

const removePost: Act = async (player) => {
  const { ledger, posts, random } = player;
  const [text, guid] = [...posts][Math.floor(random() * posts.size)] ?? [];
  if (text === undefined) return;
  const { outcome } = await attempt(player, "DELETE", `/posts/${guid}`);
  // A refused object was removed by an unanswered call, or is lost: both show up later.
  ledger.notePost(text, false, outcome);
  if (outcome !== "unknown") posts.delete(text);
};

const comment: Act = async (player, name) => {
  const post = await somePost(player);
  if (!post) return;
  const { citizen, ledger, comments } = player;
  const text = `comment ${name}`;
  ledger.startComment(post.text, text, citizen.who.name);
  const path = `/posts/${post.guid}/comments`;
  const { outcome, body } = await attempt(player, "POST", path, {
    comment: text,
  });
  ledger.noteComment(post.text, text, true, outcome);
  if (outcome === "done")
    comments.set(text, { post: post.text, id: String(body["Guid"]) });
};

const removeComment: Act = async (player) => {
  const { ledger, comments, random } = player;
  const entries = [...comments];
  const [text, made] = entries[Math.floor(random() * entries.length)] ?? [];
  if (text === undefined || !made) return;
  const { outcome } = await attempt(player, "DELETE", `/comments/${made.id}`);
  ledger.noteComment(made.post, text, false, outcome);
  if (outcome !== "unknown") comments.delete(text);
};

const mark: Act = async (player) => {
  const post = await somePost(player);
  if (!post) return;
  const { citizen, ledger, random } = player;
  const { name } = citizen.who;
  const [wanted, method, path]: [Mark, string, string] =
    random() < 0.25
      ? ["none", "DELETE", "/likes"]
      : random() < 0.6
        ? ["like", "POST", "/likes/true"]
        : ["dislike", "POST", "/likes/false"];
  const { outcome } = await attempt(
    player,
    method,
    `/posts/${post.guid}${path}`,
  );
  ledger.noteMark(post.text, name, wanted, outcome);
};

/** Each with its frequency. */
const ACTS: readonly (readonly [number, Act])[] = [
  [18, publish],
  [3, publishSeveral],
  [6, schedule],
  [6, quote],
  [3, startTalk],
  [10, say],
  [30, comment],
  [33, mark],
  [8, removePost],
  [8, removeComment],
];

const SHARES = ACTS.reduce((sum, [share]) => sum + share, 0);
/** When a scheduled post is due. */
const AHEAD_MS = { least: 500, most: 4_000 };
const PAUSE_MS = { least: 40, most: 240 };
const AFTER_TROUBLE_MS = 150;

/** Performs actions until it is stopped. */
export async function play(
  player: Player,
  isOver: () => boolean,
): Promise<void> {
  const { random, citizen, ledger } = player;
  for (let number = 1; !isOver(); number += 1) {
    const unanswered = ledger.counts.unknown;
    let lot = random() * SHARES;
    const [, act] = ACTS.find(([share]) => (lot -= share) < 0) ?? [0, publish];
    await act(player, `${citizen.who.name} ${number}`);
    const pause = PAUSE_MS.least + random() * (PAUSE_MS.most - PAUSE_MS.least);
    const hadTrouble = ledger.counts.unknown > unanswered;
    await sleep(pause + (hadTrouble ? AFTER_TROUBLE_MS : 0));
  }
}
