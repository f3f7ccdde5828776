import { load } from "../kit/http-load.ts";
import { untilIdle, type KithProcess } from "../kit/kith-process.ts";
import type { Named } from "../kit/messages.ts";
import { findReader, READER } from "../kit/reader.ts";
import { signActivity, type Sender } from "../kit/senders.ts";
import { openStrangers } from "../inbound/strangers.ts";

const USERS = 16;
/** So many of them follow the remote people, who therefore get their posts, too. */
const FOLLOWING = 4;
const SENDERS = 20;
const CONTEXT = "https://www.w3.org/ns/activitystreams";

/** The people of a Kith that has been set up over HTTP alone, as any commit of it can be. */
export type People = {
  /** One for each local user. The first is the reader. */
  readonly tokens: readonly string[];
  /** Those of users who follow nobody and have no followers: nothing is delivered of what they write. */
  readonly lonely: readonly string[];
  /** Remote people, each on their own server, whom some local users follow, and who follow the reader. */
  readonly senders: readonly Sender[];
  /** Gives a remote person that Kith does not know yet. */
  readonly nextStranger: () => Sender;
  readonly reader: Named;
};

/** Signs people up, and makes them follow each other, until `use` ends. */
export async function withPeople<T>(
  kith: KithProcess,
  use: (people: People) => Promise<T>,
): Promise<T> {
  const { baseUrl, port } = kith;
  const byUri = new Map<string, Sender>();
  const accept = async (follow: unknown): Promise<void> => {
    const sender = isFollow(follow) && byUri.get(follow.object);
    if (!sender) return;
    const { actorUri: actor } = sender;
    const id = `${actor}/accepts/${encodeURIComponent(follow.id)}`;
    const reply = { "@context": CONTEXT, id, type: "Accept", actor };
    await send(port, [
      await signActivity(baseUrl, sender, { ...reply, object: follow }),
    ]);
  };
  const strangers = await openStrangers((activity) => void accept(activity));
  try {
    const senders = Array.from({ length: SENDERS }, () => strangers.next());
    for (const sender of senders) byUri.set(sender.actorUri, sender);
    const tokens: string[] = [];
    for (let number = 0; number < USERS; number += 1)
      tokens.push(await signUp(baseUrl, number));
    await followAll(baseUrl, tokens.slice(0, FOLLOWING), senders);
    await followReader(kith, senders);
    await untilIdle(kith);
    return await use({
      ...{ tokens, senders },
      lonely: tokens.slice(FOLLOWING),
      nextStranger: strangers.next,
      reader: await findReader(baseUrl),
    });
  } finally {
    await strangers.close();
  }
}

function isFollow(
  activity: unknown,
): activity is { readonly id: string; readonly object: string } {
  return (activity as { type?: unknown }).type === "Follow";
}

async function signUp(baseUrl: string, number: number): Promise<string> {
  const { password } = READER;
  const username = number === 0 ? READER.username : `person${number}`;
  const answer = await fetch(`${baseUrl}/users/sign_up`, {
    method: "POST",
    body: new URLSearchParams({ username, password, confirm: password }),
    redirect: "manual",
  });
  if (answer.status !== 302) throw new Error(`${username} was not signed up`);
  const form = { grant_type: "password", username, password };
  const { token } = await call<{ token: string }>(baseUrl, "/oauth/tokens", {
    form: { ...form, client_id: "bench" },
  });
  return token;
}

async function followAll(
  baseUrl: string,
  tokens: readonly string[],
  senders: readonly Sender[],
): Promise<void> {
  const [first = ""] = tokens;
  const ids: unknown[] = [];
  for (const { handle } of senders) {
    const form = { handle };
    const path = "/search";
    const person = await call<{ ID: unknown }>(baseUrl, path, {
      ...{ form, token: first },
    });
    ids.push(person.ID);
  }
  await Promise.all(
    tokens.map(async (token) => {
      const { ID } = await call<{ ID: unknown }>(baseUrl, "/aspects", {
        ...{ form: { aspect_name: "River" }, token },
      });
      for (const id of ids)
        await call(baseUrl, `/people/${String(id)}/aspects/${String(ID)}`, {
          token,
        });
    }),
  );
}

async function followReader(
  { baseUrl, port }: KithProcess,
  senders: readonly Sender[],
): Promise<void> {
  const { actorUri: object } = await findReader(baseUrl);
  const requests = senders.map((sender) => {
    const { actorUri: actor } = sender;
    const follow = { "@context": CONTEXT, type: "Follow", actor, object };
    const id = `${actor}/follows/reader`;
    return signActivity(baseUrl, sender, { ...follow, id });
  });
  await send(port, await Promise.all(requests));
}

async function send(port: number, requests: readonly Buffer[]): Promise<void> {
  const { statuses } = await load(port, requests, 1);
  if (statuses.get(202) !== requests.length)
    throw new Error(`Not all were accepted: ${[...statuses].join("; ")}`);
}

async function call<T>(
  baseUrl: string,
  path: string,
  {
    form = {},
    token = "",
  }: { form?: Record<string, string>; token?: string } = {},
): Promise<T> {
  const answer = await fetch(`${baseUrl}/api/v0${path}`, {
    method: "POST",
    body: new URLSearchParams(form),
    headers: { access_token: token },
  });
  if (!answer.ok)
    throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
