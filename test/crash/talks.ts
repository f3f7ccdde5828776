import type { Json } from "../support/api-client.ts";
import { getWholeList } from "../support/conversation.ts";
import type { Seen } from "./ledger.ts";
import { attempt, type Act } from "./player.ts";
import { withoutLink, type Citizen } from "./town.ts";

/** What the first message of each conversation begins with. */
export const TALK = "talk ";

/**
 * Starts a conversation with the members of one's aspect. Its first message counts as a
 * post to them, and each further one as a comment on it.
 */
export const startTalk: Act = async (player, name) => {
  const { citizen, ledger } = player;
  const text = `${TALK}${name}`;
  ledger.startPost(text, citizen.who.name, { audience: citizen.members });
  const { outcome } = await attempt(player, "POST", "/conversations", {
    personID: citizen.memberIds,
    subject: name,
    text,
  });
  ledger.notePost(text, true, outcome);
};

/** Writes to a conversation that one sees. */
export const say: Act = async (player, name) => {
  const { citizen, ledger, random } = player;
  const talks = await listTalks(citizen).catch(() => []);
  const talk = talks[Math.floor(random() * talks.length)];
  if (!talk) return;
  const text = `message ${name}`;
  ledger.startComment(talk.first, text, citizen.who.name);
  const path = `/conversations/${talk.id}/messages`;
  const { outcome } = await attempt(player, "POST", path, { text });
  ledger.noteComment(talk.first, text, true, outcome);
};

type Talk = { readonly id: string; readonly first: string };

/** The latest conversations of a person, whose subjects name their first messages. */
async function listTalks({ who }: Citizen): Promise<Talk[]> {
  const { status, body } = await who.api.call("GET", "/conversations?limit=10");
  if (status !== 200) return [];
  return (body as Json[]).map(({ ID, Subject }) => ({
    id: String(ID),
    first: `${TALK}${String(Subject)}`,
  }));
}

/**
 * Compares the list of a person's conversations, and that of their home, with their stream.
 * @returns the deviations, each in a few words
 */
export async function judgeLists(
  { who }: Citizen,
  seen: Seen,
): Promise<string[]> {
  const [talks, home] = await Promise.all([
    getWholeList(who.api, "/conversations"),
    getWholeList(who.api, "/home"),
  ]);
  const faults = compare(
    talks.map(({ Subject }) => `${TALK}${String(Subject)}`),
    [...seen.keys()].filter((text) => text.startsWith(TALK)),
    `the conversations of ${who.name}`,
  );
  for (const { ID, Subject } of talks) {
    const first = `${TALK}${String(Subject)}`;
    const path = `/conversations/${String(ID)}/messages`;
    const messages = await getWholeList(who.api, path);
    const [view] = seen.get(first) ?? [];
    faults.push(
      ...compare(
        messages.map(({ Text }) => String(Text)),
        [first, ...(view?.comments ?? []).map(withoutName)],
        `what ${who.name} reads in “${first}”`,
      ),
    );
  }
  const isPost = (text: string) => !text.startsWith(TALK);
  faults.push(
    ...compare(
      home.map(({ Text }) => withoutLink(String(Text))).filter(isPost),
      [...seen.keys()].filter(isPost),
      `the home of ${who.name}`,
    ),
  );
  return faults;
}

function compare(
  found: readonly string[],
  wanted: readonly string[],
  where: string,
): string[] {
  const missing = wanted.filter((text) => !found.includes(text));
  const extra = found.filter(
    (text, index) => !wanted.includes(text) || found.indexOf(text) < index,
  );
  return [
    ...missing.map((text) => `${where}: “${text}” is missing`),
    ...extra.map((text) => `${where}: “${text}” is there, or once too often`),
  ];
}

/** Without the person in front, and the number of likes behind. */
function withoutName(comment: string): string {
  return comment.slice(comment.indexOf(": ") + 2).replace(/ \(\+\d+\)$/, "");
}
