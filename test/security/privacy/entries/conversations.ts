import {
  HTML,
  listed,
  named,
  NO_CONTENT,
  silent,
  type Entry,
  type Identity,
  type Probe,
} from "../probes.ts";
import { TAG } from "../subjects.ts";

/** Conversations are in no list by author or tag, even for those who take part. */
const isInNoList = (by: Identity, path: string, accept?: string): Probe =>
  listed(["conversation"], by, () => [path], {
    only: () => false,
    ...(accept !== undefined && { accept }),
  });

/** The stream of what a person may see lists them among the limited posts. */
const isInStream = (by: Identity, path: string, accept?: string): Probe =>
  listed(["conversation"], by, () => [path], {
    ...(accept !== undefined && { accept }),
  });

const ofConversation = (after: string, more: Partial<Probe> = {}) =>
  named("conversation", "/conversations", after, more);

/** The routes of private conversations. */
const CONVERSATION_ENTRIES: Readonly<Record<string, Entry>> = {
  "GET /api/v0/conversations": [
    listed(["conversation"], "token", () => [
      "/api/v0/conversations?limit=100",
    ]),
  ],
  "POST /api/v0/conversations": silent("It shows only what the caller writes"),
  "GET /api/v0/conversations/unread": silent(NO_CONTENT),
  "GET /api/v0/conversations/:id": [ofConversation("")],
  "DELETE /api/v0/conversations/:id": [ofConversation("", { shows: false })],
  "PUT /api/v0/conversations/:id/read": [ofConversation("/read")],
  "GET /api/v0/conversations/:id/messages": [ofConversation("/messages")],
  "POST /api/v0/conversations/:id/messages": [
    ofConversation("/messages", {
      form: () => ({ text: "x" }),
      shows: false,
    }),
  ],
};

/** Routes of posts: a conversation is shown by its name, and in the export of participants. */
const OF_POSTS: Readonly<Record<string, readonly Probe[]>> = {
  "GET /api/v0/posts/:id": [named("conversation", "/posts")],
  "GET /api/v0/export": [
    listed(["conversation"], "token", () => ["/api/v0/export"]),
  ],
  "GET /api/v0/posts": [
    isInStream("token", "/api/v0/posts?limit=100"),
    isInStream("token", "/api/v0/posts?visibility=2&limit=100"),
  ],
  "GET /api/v0/people/:id/stream": [
    isInNoList("token", "/api/v0/people/AUTHOR/stream?limit=100"),
  ],
  "GET /api/v0/users/streams/:id/posts": [
    isInNoList("token", "/api/v0/users/streams/STREAM/posts?limit=100"),
  ],
  "GET /api/v0/home": [
    isInNoList("token", "/api/v0/home?limit=100"),
    isInNoList("token", "/api/v0/home?limit=100&replies=all"),
  ],
  "GET /api/v0/tags/posts": [
    isInNoList("token", "/api/v0/tags/posts?limit=100"),
  ],
  "GET /api/v0/tags/:tag/posts": [
    isInNoList("token", `/api/v0/tags/${TAG}/posts?limit=100`),
  ],
  "GET /tags/:tag": [isInNoList("session", `/tags/${TAG}`, HTML)],
  "GET /people/:guid": [isInNoList("session", "/people/AUTHORGUID", HTML)],
  "GET /u/:username": [isInNoList("session", "/u/author", HTML)],
  "GET /home": [
    isInNoList("session", "/home", HTML),
    isInNoList("session", "/home?replies=all", HTML),
    isInStream("session", "/home?show=all", HTML),
  ],
  "GET /people/:guid/stream": [
    isInNoList("nobody", "/people/AUTHORGUID/stream"),
  ],
};

/** Adds the routes of conversations, and checks which lists of posts show them. */
export function withConversations(
  entries: Readonly<Record<string, Entry>>,
): Readonly<Record<string, Entry>> {
  const all: Record<string, Entry> = { ...entries, ...CONVERSATION_ENTRIES };
  for (const [route, probes] of Object.entries(OF_POSTS)) {
    const entry = all[route];
    if (entry === undefined || "silent" in entry)
      throw new Error(`${route} has no probes`);
    all[route] = [...entry, ...probes];
  }
  return all;
}
