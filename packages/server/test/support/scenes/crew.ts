import assert from "node:assert/strict";
import type { Tx } from "../../../src/db/db.ts";
import type { Role } from "../../../src/features/accounts/index.ts";
import type { PersonId } from "../../../src/features/ids.ts";
import { insertHit } from "../../../src/features/spam-rules/spam-hit-store.ts";
import type { ApiClient } from "../server/api-client.ts";
import { PASSWORD, type KithServer } from "../server/kith-server.ts";

/** A person with a token, created without the sign-up page, which may be closed. */
export async function member(
  kith: KithServer,
  username: string,
  role: Role = "user",
): Promise<ApiClient> {
  const account = { username, password: PASSWORD, role };
  const made = await kith.server.features.accounts.signUp(account);
  assert.equal(made.kind, "created");
  const { token } = await kith.token(username);
  const client = kith.anonymous.with(token);
  // Its first use is noted now, and not again for a day.
  await client.get("/aspects");
  return client;
}

/** The page to sign up, as a browser or a program sends it. */
export async function signUpAs(
  { baseUrl }: Pick<KithServer, "baseUrl">,
  username: string,
  more: Readonly<Record<string, string>> = {},
  accept = "application/json",
): Promise<{ readonly status: number; readonly text: string }> {
  const form = { username, password: PASSWORD, ...more };
  const answer = await fetch(`${baseUrl}/users/sign_up`, {
    method: "POST",
    headers: { accept },
    body: new URLSearchParams(form),
    redirect: "manual",
  });
  return { status: answer.status, text: await answer.text() };
}

/** Actions recorded after an entry of the log, oldest first: person, action, object. */
export async function actsSince(
  kith: KithServer,
  id: number,
): Promise<string[]> {
  const acts = await kith.server.features.audit.list({
    offset: 0,
    limit: 1000,
  });
  return acts
    .filter((act) => act.id > id)
    .map(({ byName, action, target }) => `${byName}: ${action} ${target}`)
    .reverse();
}

/** The newest entry of the log. */
export async function lastAct(kith: KithServer): Promise<number> {
  const [act] = await kith.server.features.audit.list({ offset: 0, limit: 1 });
  return act?.id ?? 0;
}

/** A rule has met a text of a person, and holds a comment below the person's first post. */
export async function meetRules(
  { server }: Pick<KithServer, "server">,
  tx: Tx,
  about: { readonly personId: PersonId; readonly thing: string; at: string },
): Promise<void> {
  const { personId, thing, at: createdAt } = about;
  const hit = { rule: "links", action: "note", kind: "post" } as const;
  await insertHit(tx, { ...hit, ...about });
  const { posts, spamRules } = server.features;
  const [postId] = await posts.listSomeIdsOf(tx, personId, 1);
  assert.ok(postId, "There is a post");
  await spamRules.held.insert(tx, {
    ...{ kind: "comment", guid: `of ${thing} waits`, uri: null, rule: "links" },
    ...{ personId, postId, createdAt },
    comment: {
      ...{ text: "this waits", warning: null, language: null, emojis: [] },
      ...{ parentGuid: null, createdAt: null, updatedAt: null },
      mentioned: null,
      photos: [],
    },
  });
}
