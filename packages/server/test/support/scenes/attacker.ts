import { quickFetch } from "../streams/quick-fetch.ts";
import { readAnswer } from "../streams/read-answer.ts";
import assert from "node:assert/strict";
import { assertError, type Answer } from "../server/api-client.ts";
import type { Attack } from "./attacks.ts";
import {
  PASSWORD,
  type KithServer,
  type TestPerson,
} from "../server/kith-server.ts";
import { visitor } from "../pages/visit.ts";
import { fillPath, listRoutes, type Route } from "../server/routes.ts";

/** The answer of a kind of route to unusable requests. */
export type Family =
  | "token"
  | "grant"
  | "inbox"
  | "outbox"
  | "receive"
  | "document"
  | "page"
  /** Answers with the errors of RFC 6749. */
  | "oauth"
  /** The client API of Mastodon, with errors in its own words. */
  | "program"
  /** Takes no parameters, and gives everyone a challenge. */
  | "challenge"
  /** Answers programs in XML: attacked by caldav-series.test.ts. */
  | "calendars";

const FAMILIES: readonly [RegExp, Family][] = [
  [/^[A-Z]+ \/(dav\*?|\.well-known\/caldav)$|^PROPFIND \/$/, "calendars"],
  [/^POST \/api\/v0\/oauth\/tokens$/, "grant"],
  [/^[A-Z]+ \/(oauth\/(token|revoke|userinfo)|api\/v1\/apps(\/.+)?)$/, "oauth"],
  [/^(GET|POST) \/(oauth\/authorize|settings\/apps)$/, "page"],
  [/^POST \/api\/v[01]\/ap\/.*inbox$/, "inbox"],
  [/^POST \/api\/v[01]\/ap\/.*outbox$/, "outbox"],
  [/^GET \/api\/v[01]\/ap\//, "document"],
  [/^GET \/api\/v0\/openapi\.json$/, "document"],
  [/^GET \/api\/docs$/, "page"],
  [/^[A-Z]+ \/api\/v0\/(?!ap\/)/, "token"],
  [/^[A-Z]+ \/api\/v[12]\/(?!ap\/)/, "program"],
  [/^POST \/receive\/(public|users\/:guid)$/, "receive"],
  [
    /^GET \/(\.well-known|nodeinfo|hcard|fetch|assets|media|uploads|proxy|robots\.txt)/,
    "document",
  ],
  [/^GET \/people\/:guid\/stream$/, "document"],
  [/^GET \/(events|calendars)\/.+\.ics$/, "document"],
  [
    /^(GET|POST) \/events(\/new|\/:guid(\/(answer|reminder|edit|delete|guests\/:id))?)?$/,
    "page",
  ],
  [/^(GET|POST) \/users\/sign_(up|in|out)$/, "page"],
  [/^(GET|POST) \/users\/sign_in\/(second|passkey)$/, "page"],
  [/^POST \/users\/sign_in\/passkey\/options$/, "challenge"],
  [/^(GET|POST) \/settings\/security\b/, "page"],
  [/^(GET|POST) \/(report|home|stream|setup)$/, "page"],
  [/^GET \/(about|bookmarklet|calendar|offline|share|welcome)$/, "page"],
  [/^GET \/offline-worker\.js$/, "document"],
  [/^GET \/calendar\/subscribed\/:id\/:name$/, "page"],
  [/^GET \/manifest\.webmanifest$/, "document"],
  [/^GET \/(u\/:username|tags\/:tag)\/feed\.(atom|json|rss)$/, "page"],
  [/^GET \/(public\/:username\.atom|embed\/:guid)$/, "page"],
  [/^GET \/(posts|events)\/:guid\/card\.png$/, "page"],
  [/^(GET|POST) \/(parts\/.+|live)$/, "page"],
  [/^GET \/(api\/oembed|oembed|sitemap(\/.+)?\.xml)$/, "document"],
  [/^(GET|POST) \/settings\/calendars(\/.+)?$/, "page"],
  [/^POST \/tags\/:tag\/(un)?follow$/, "page"],
  [/^(GET|POST) \/photos(\/:guid(\/delete)?)?$/, "page"],
  [/^(GET|POST) \/settings\/servers(\/(un)?block)?$/, "page"],
  [/^(GET|POST) \/settings\/filters(\/(new|:id(\/delete)?))?$/, "page"],
  [/^(GET|POST) \/(admin|invitations)(\/.+)?$/, "page"],
  [
    /^POST \/(posts|comments)\/:guid\/(comments|vote|revoke_quote|(un)?(like|reshare|bookmark|pin))$/,
    "page",
  ],
  [/^(GET|POST) \/(posts|comments)\/:guid\/(edit|delete)$/, "page"],
  [
    /^GET \/(posts|comments|events)\/:guid\/(history|likes|deliveries)$/,
    "page",
  ],
  [/^POST \/announcements\/:id\/dismiss$/, "page"],
  [/^POST \/posts\/:guid\/(un)?mute$/, "page"],
  [/^(GET|POST) \/streams(\/:id(\/delete)?)?$/, "page"],
  [/^(GET|POST) \/settings\/(account|moving)(\/.+)?$/, "page"],
  [
    /^POST \/people\/:guid\/(aspects|choices|remove_follower|(un)?(follow|ignore|block))$/,
    "page",
  ],
  [/^(GET|POST) \/settings(\/(profile|privacy|notifications))?$/, "page"],
  [
    /^(GET|POST) \/(settings\/strikes(\/(appeal|withdraw))?|users\/appeal)$/,
    "page",
  ],
  [/^(GET|POST) \/settings\/imports(\/.+)?$/, "page"],
  [/^POST \/settings\/push(\/end)?$/, "page"],
  [/^(GET|POST) \/settings\/mail(\/(address|remove))?$/, "page"],
  [/^(GET|POST) \/(users\/password(\/new)?|mail\/.+)$/, "page"],
  [/^GET \/(bookmarks|comments\/:guid|settings\/(blocks|ignores))$/, "page"],
  [/^(GET|POST) \/notifications(\/(open|read))?$/, "page"],
  [/^(GET|POST) \/messages(\/new|\/:guid(\/(hide|leave))?)?$/, "page"],
  [/^GET \/(contacts|people)$/, "page"],
  [/^GET \/about\/(privacy|terms)$/, "page"],
  [/^GET \/about\/(picture|style)\/:name$/, "document"],
  [/^(GET|POST) \/people\/(find|requests(\/.+)?)$/, "page"],
  [/^(GET|POST) \/aspects(\/.+)?$/, "page"],
  [/^GET \/(authorize_interaction|interact|link|search)$/, "page"],
  [/^(GET|POST) \/(write|drafts(\/:id\/(publish|delete))?)$/, "page"],
  [/^GET \/(healthz|readyz)$/, "document"],
  [/^GET \/(people\/:guid|posts\/:guid|tags\/:tag|u\/:username)?$/, "page"],
];

const MESSAGES: Readonly<Record<number, RegExp>> = {
  400: /^(Bad request|The string is empty|Invalid datetime)$/,
  401: /^Unauthorized$/,
  403: /^Forbidden$/,
  404: /^(Not found|User not found)$/,
  413: /^Request body too large$/,
  414: /^URI too long$/,
  415: /^Unsupported media type$/,
  422: /\w/,
};

function familyOf({ method, path }: Route): Family {
  const found = FAMILIES.filter(([pattern]) =>
    pattern.test(`${method} ${path}`),
  );
  const family = found[0]?.[1];
  assert.ok(family, `${method} ${path} is of no known family: cover it here`);
  return family;
}

export type Target = Route & { readonly family: Family; readonly name: string };

/** Sends invalid requests to every route of a server, and checks the results. */
export class Attacker {
  readonly #kith: KithServer;
  /** The owner of the token for the calls. */
  readonly person: TestPerson;
  /** The session of the same person, for the pages below /admin. */
  readonly #cookie: string;

  private constructor(kith: KithServer, person: TestPerson, cookie: string) {
    this.#kith = kith;
    this.person = person;
    this.#cookie = cookie;
  }

  static async create(kith: KithServer): Promise<Attacker> {
    // So that code behind the routes of admins is reached, too.
    const person = await kith.person({ handle: "ann", role: "admin" });
    const session = visitor(kith.baseUrl);
    await session.post("/users/sign_in", {
      username: "ann",
      password: PASSWORD,
    });
    // The server's own keys are made at their first use.
    await fetch(`${kith.baseUrl}/api/v1/ap/instance`);
    await fetch(`${kith.baseUrl}/api/v2/instance`);
    return new Attacker(kith, person, session.cookies());
  }

  targets(): Target[] {
    return listRoutes(this.#kith.app).map((route) => ({
      ...route,
      family: familyOf(route),
      name: `${route.method} ${route.path}`,
    }));
  }

  /** Real users, so that code behind the routes is reached; other objects do not exist. */
  pathOf({ path, family }: Target): string {
    const { Guid } = this.person.record;
    return fillPath(path, {
      guid: family === "inbox" ? Guid : "0".repeat(32),
      username: "ann",
      positive: "true",
      // Almost any word is a tag.
      tag: "no%20tag",
    });
  }

  async send(
    { method, family, path: route }: Target,
    path: string,
    attack?: Omit<Attack, "name" | "status">,
  ): Promise<Answer> {
    const accept = family === "page" ? "text/html" : "application/json";
    const headers: Record<string, string> = { accept };
    if (["token", "outbox", "program"].includes(family))
      headers["access_token"] = this.person.token;
    if (/^\/(admin|invitations)/.test(route)) headers["cookie"] = this.#cookie;
    if (attack?.type !== undefined) headers["content-type"] = attack.type;
    const body =
      typeof attack?.body === "string"
        ? Buffer.from(attack.body)
        : attack?.body;
    if (body && !attack?.chunked)
      headers["content-length"] = String(body.length);
    const request = { method, headers, body, chunked: attack?.chunked };
    const response = await sendAttack(this.#kith.baseUrl + path, request);
    const text = await readAnswer(response);
    return { status: response.status, headers: response.headers, text };
  }

  /** Attacks each route of the families, and shows that it changed nothing and that the server lives. */
  async attack(
    families: readonly Family[],
    attackOne: (target: Target) => Promise<void>,
  ): Promise<void> {
    const targets = this.targets().filter((it) => families.includes(it.family));
    assert.ok(targets.length > 0);
    const unchanged = await this.#kith.snapshot();
    for (const target of targets) await attackOne(target);
    assert.deepEqual(await this.#kith.snapshot(), unchanged);
    const alive = await this.person.call("GET", "/posts");
    assert.equal(`${alive.status} ${alive.text}`, "200 []");
  }
}

const CHUNK_BYTES = 65_536;

type AttackRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly chunked: boolean | undefined;
};

function sendAttack(
  url: string,
  { method, headers, body, chunked }: AttackRequest,
): Promise<Response> {
  if (!body) return quickFetch(url, { method, headers });
  if (!chunked && body.length <= CHUNK_BYTES)
    return quickFetch(url, { method, headers, body: Buffer.from(body) });
  return fetch(url, {
    ...{ method, headers, redirect: "manual" },
    ...{ body: streamOf(body), duplex: "half" },
  });
}

/** Given as they are, or as a Blob, megabytes would be copied for each of many calls. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(sent, sent + CHUNK_BYTES));
      sent += CHUNK_BYTES;
    },
  });
}

/** Everything but a page answers a refusal with the documented error object; a page with a page. */
export function assertRefusal(
  target: Target,
  answer: Answer,
  what: string,
): void {
  const { status, text, headers } = answer;
  const label = `${target.name}: ${what}: ${status} ${text.slice(0, 200)}`;
  assert.ok(status >= 400 && status < 500, label);
  const type = headers.get("content-type") ?? "";
  if (target.family === "page" && !type.startsWith("application/json")) {
    assert.match(type, /^text\/html\b/, label);
    assert.match(text, /^<!doctype html>/i, label);
    return;
  }
  const { error } = JSON.parse(text) as { error: string };
  if (target.family === "oauth" && /^invalid_\w+$/.test(error)) {
    assert.match(type, /^application\/json\b/, label);
    return;
  }
  assert.match(error, MESSAGES[status] ?? /^$/, label);
  assertError(answer, status, error, label);
}
