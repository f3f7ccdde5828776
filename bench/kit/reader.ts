import { setTimeout as sleep } from "node:timers/promises";
import type { Named } from "./messages.ts";

/** A local user created before the server starts. */
export const READER = {
  username: "reader",
  password: "correct horse battery",
} as const;

const BETWEEN_LOOKS_MS = 25;

/** The reader's home timeline, as a client shows it. */
export type Timeline = {
  /**
   * Waits until it contains at least `count` posts above all those that have no number or one below `from`.
   * @returns the time of the answer (`performance.now`)
   */
  readonly untilVisible: (count: number, from: number) => Promise<number>;
};

export async function openTimeline(baseUrl: string): Promise<Timeline> {
  const token = await signIn(baseUrl);
  const read = async (offset: number): Promise<string> => {
    const url = `${baseUrl}/api/v0/posts?limit=1&offset=${offset}`;
    const answer = await fetch(url, { headers: { access_token: token } });
    const [post] = (await answer.json()) as { Text: string }[];
    return post?.Text ?? "";
  };
  return {
    untilVisible: async (count, from) => {
      // The newest is first, and the previous posts are older: the last new one is here.
      while (numberOf(await read(count - 1)) < from)
        await sleep(BETWEEN_LOOKS_MS);
      return performance.now();
    },
  };
}

async function signIn(baseUrl: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/v0/oauth/tokens`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "password",
      client_id: "bench",
      ...READER,
    }),
  });
  const { token } = (await answer.json()) as { token?: string };
  if (token === undefined) throw new Error("The reader got no token");
  return token;
}

/** The number at the end of a post of `messages.ts`. */
function numberOf(text: string): number {
  return Number(/number (\d+)$/.exec(text.trimEnd())?.[1] ?? -1);
}

/** The reader, as other servers mention them. */
export async function findReader(baseUrl: string): Promise<Named> {
  const name = READER.username;
  const handle = `${name}@${new URL(baseUrl).host}`;
  const found = await fetch(
    `${baseUrl}/.well-known/webfinger?resource=acct:${handle}`,
  );
  const { links } = (await found.json()) as {
    links: { rel: string; type?: string; href?: string }[];
  };
  const self = links.find(
    ({ rel, type }) => rel === "self" && type === "application/activity+json",
  );
  if (!self?.href) throw new Error("The reader has no actor");
  return { name, handle, actorUri: self.href };
}
