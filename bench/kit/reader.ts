import { setTimeout as sleep } from "node:timers/promises";

/** Somebody here who has an account before the server starts. */
export const READER = {
  username: "reader",
  password: "correct horse battery",
} as const;

const BETWEEN_LOOKS_MS = 25;

/** The reader's home timeline, as a program shows it. */
export type Timeline = {
  /**
   * Waits until at least `count` posts stand in it above all that have no number or one
   * below `from`. @returns when the answer had come (`performance.now`)
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
      // It is newest first, and what came before is older: the last of them stands here.
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

/** The number with which a post of `messages.ts` ends. */
function numberOf(text: string): number {
  return Number(/number (\d+)$/.exec(text.trimEnd())?.[1] ?? -1);
}
