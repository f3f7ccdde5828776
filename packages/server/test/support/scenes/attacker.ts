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
  /** Takes no parameters, and gives everyone a challenge. */
  | "challenge";

const FAMILIES: readonly [RegExp, Family][] = [
  [/^POST \/api\/v0\/oauth\/tokens$/, "grant"],
  [/^POST \/api\/v[01]\/ap\/.*inbox$/, "inbox"],
  [/^POST \/api\/v[01]\/ap\/.*outbox$/, "outbox"],
  [/^GET \/api\/v[01]\/ap\//, "document"],
  [/^GET \/api\/v0\/openapi\.json$/, "document"],
  [/^GET \/api\/docs$/, "page"],
  [/^[A-Z]+ \/api\/v0\/(?!ap\/)/, "token"],
  [/^POST \/receive\/(public|users\/:guid)$/, "receive"],
  [
    /^GET \/(\.well-known|nodeinfo|hcard|fetch|assets|media|uploads|proxy|robots\.txt)/,
    "document",
  ],
  [/^GET \/people\/:guid\/stream$/, "document"],
  [/^GET \/(events|calendars)\/.+\.ics$/, "document"],
  [/^(GET|POST) \/events\/:guid(\/answer)?$/, "page"],
  [/^(GET|POST) \/users\/sign_(up|in|out)$/, "page"],
  [/^(GET|POST) \/users\/sign_in\/(second|passkey)$/, "page"],
  [/^POST \/users\/sign_in\/passkey\/options$/, "challenge"],
  [/^(GET|POST) \/settings\/security\b/, "page"],
  [/^(GET|POST) \/(report|stream)$/, "page"],
  [/^(GET|POST) \/(admin|invitations)(\/.+)?$/, "page"],
  [
    /^POST \/(posts|comments)\/:guid\/(comments|vote|(un)?(like|reshare|bookmark))$/,
    "page",
  ],
  [/^(GET|POST) \/(posts|comments)\/:guid\/(edit|delete)$/, "page"],
  [/^POST \/people\/:guid\/(add|remove|(un)?(follow|ignore|block))$/, "page"],
  [/^(GET|POST) \/settings(\/profile)?$/, "page"],
  [/^GET \/(bookmarks|comments\/:guid|settings\/(blocks|ignores))$/, "page"],
  [/^(GET|POST) \/notifications(\/read)?$/, "page"],
  [/^(GET|POST) \/messages(\/new|\/:guid(\/(hide|leave))?)?$/, "page"],
  [/^(GET|POST) \/contacts(\/.+)?$/, "page"],
  [/^GET \/link$/, "page"],
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
    // The server's own key is made at its first use.
    await fetch(`${kith.baseUrl}/api/v1/ap/instance`);
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
    if (family === "token" || family === "outbox")
      headers["access_token"] = this.person.token;
    if (/^\/(admin|invitations)/.test(route)) headers["cookie"] = this.#cookie;
    if (attack?.type !== undefined) headers["content-type"] = attack.type;
    const response = await fetch(this.#kith.baseUrl + path, {
      method,
      headers,
      redirect: "manual",
      ...(attack ? bodyOf(attack) : {}),
    });
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

function bodyOf({ body, chunked }: Omit<Attack, "name" | "status">) {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return chunked
    ? { body: new Blob([bytes]).stream(), duplex: "half" as const }
    : { body: bytes };
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
  assert.match(error, MESSAGES[status] ?? /^$/, label);
  assertError(answer, status, error, label);
}
