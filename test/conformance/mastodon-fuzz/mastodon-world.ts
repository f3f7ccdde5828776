import {
  MastodonClient,
  type StatusRecord,
} from "../../../packages/server/test/support/mastodon/mastodon-client.ts";
import { visitor } from "../../../packages/server/test/support/pages/visit.ts";
import type {
  KithServer,
  TestPerson,
} from "../../../packages/server/test/support/server/kith-server.ts";
import { PASSWORD } from "../../../packages/server/test/support/server/kith-server.ts";
import {
  callWith,
  getAppToken,
  registerClient,
  sendForm,
} from "../../../packages/server/test/support/sign-in/oauth-app.ts";
import type { Random } from "../../support/random.ts";
import { Secrets } from "./secrets.ts";

/** Somebody whose calls are made, and the tokens that differ in what they may do. */
export type Owner = {
  readonly person: TestPerson;
  /** Also moderators see what is reported. */
  readonly isModerator: boolean;
  readonly narrow: readonly string[];
  readonly revoked: readonly string[];
};

/** Who calls, as the server sees it. */
export type Caller = {
  /** undefined: none is sent. */
  readonly token: string | undefined;
  /** Whose ids are chosen, although the token may be of nobody. */
  readonly owner: Owner;
  /** Does the token belong to the owner, and allow everything? */
  readonly isFull: boolean;
  /** undefined: nobody, for the server. */
  readonly viewer: Owner | undefined;
};

const MAX_KNOWN = 60;
const NARROW = ["read:statuses", "write:favourites write:lists", "profile"];

/** The people, tokens and records among which calls are made. */
export class MastodonWorld {
  readonly secrets = new Secrets();
  readonly people: Owner[] = [];
  readonly #kith: KithServer;
  /** Ids by kind, the newest first; each with those who have learnt of it. */
  readonly #known = new Map<string, { id: string; by: Owner | undefined }[]>();
  #appTokens: string[] = [];

  private constructor(kith: KithServer) {
    this.#kith = kith;
  }

  static async open(kith: KithServer): Promise<MastodonWorld> {
    const world = new MastodonWorld(kith);
    await world.add(true);
    for (let n = 0; n < 3; n += 1) await world.add(false, n === 0);
    const app = await registerClient(kith.baseUrl, { scopes: "read write" });
    for (const scope of ["read write", "read:statuses"]) {
      const form = { grant_type: "client_credentials", scope };
      const answer = await sendForm(`${kith.baseUrl}/oauth/token`, {
        ...{ ...form, client_id: app.id, client_secret: app.secret },
      });
      world.#appTokens.push(String(answer.json["access_token"]));
    }
    const { announcements, serverProfile } = kith.server.features;
    await serverProfile.save(null, { terms: "Be fair.", registration: "open" });
    for (const text of ["Tea", "Cake"]) {
      const { id } = await announcements.publish(null, { text });
      world.learnId("Announcement", String(id), undefined);
    }
    return world;
  }

  /** One more person, who follows the others and is followed. */
  async add(isModerator: boolean, hasNarrow = false): Promise<void> {
    const person = await this.#kith.person(
      isModerator ? { role: "admin" } : {},
    );
    const tokens = hasNarrow
      ? await this.#narrowTokens(person)
      : { narrow: [], revoked: [] };
    const owner: Owner = { person, isModerator, ...tokens };
    const others = this.people.slice(-2);
    this.people.push(owner);
    const app = MastodonClient.of(this.#kith, person);
    this.learnId("Account", String(person.record.ID), owner);
    for (const other of others) {
      await app.call("POST", `/v1/accounts/${other.person.record.ID}/follow`);
      this.noteAsking(owner, other);
    }
    if (this.people.length % 2 === 0)
      await app.patch("/v1/accounts/update_credentials", { locked: true });
    await this.#write(app, owner, others[0]);
  }

  /** Something of each kind that is private, beside something for everybody. */
  async #write(
    app: MastodonClient,
    owner: Owner,
    other: Owner | undefined,
  ): Promise<void> {
    const { secrets } = this;
    const write = async (text: string, more: object) => {
      const status = await app.write(text, { ...more });
      this.learnId("Status", status.id, owner);
      return status;
    };
    const { id } = await write("public #row", {});
    if (other) {
      const quoter = MastodonClient.of(this.#kith, other.person);
      const quoting = await quoter.write("see", { quoted_status_id: id });
      this.learnId("Quoted", id, owner);
      this.learnId("Quoting", quoting.id, owner);
    }
    const poll = { options: ["a", "b"], expires_in: 86_400 };
    await write("Which?", { poll });
    await write(secrets.ofFollowers(owner), { visibility: "private" });
    await write(secrets.of(owner), { visibility: "direct" });
    if (!other) return;
    const mention = `@${other.person.handle}`;
    const [text, readers] = secrets.among([owner, other]);
    const direct: StatusRecord = await write(`${mention} ${text}`, {
      visibility: "direct",
    });
    secrets.remember(direct.id, readers);
  }

  async #narrowTokens(person: TestPerson) {
    const { baseUrl } = this.#kith;
    const browser = visitor(baseUrl);
    const form = { username: person.username, password: PASSWORD };
    await browser.post("/users/sign_in", form);
    const narrow: string[] = [];
    for (const scope of NARROW)
      narrow.push(await getAppToken(baseUrl, browser, scope));
    const app = await registerClient(baseUrl, { scopes: "read write" });
    const gone = await getAppToken(baseUrl, browser, "read write", app);
    await sendForm(`${baseUrl}/oauth/revoke`, {
      ...{ token: gone, client_id: app.id, client_secret: app.secret },
    });
    // The first use of a day is written down.
    for (const token of narrow)
      await callWith(`${baseUrl}/api/v1/preferences`, token);
    return { narrow, revoked: [gone] };
  }

  /** Mostly somebody with all rights; else any other kind of token, or none. */
  chooseCaller(isForModerators: boolean, random: Random): Caller {
    const owner =
      isForModerators && random.isLikely(0.7)
        ? this.moderator
        : random.pick(this.people);
    const { person, narrow, revoked } = owner;
    if (random.isLikely(0.75))
      return { token: person.token, owner, isFull: true, viewer: owner };
    const part = random.pickAny(narrow);
    if (part !== undefined && random.isLikely(0.6))
      return { token: part, owner, isFull: false, viewer: owner };
    const token = random.pickAny([
      ...[undefined, "0".repeat(64), "", " ", "x".repeat(3_000), "%00", "ü"],
      ...[...this.#appTokens, ...revoked, `${person.token}0`, "null"],
    ]);
    return { token, owner, isFull: false, viewer: undefined };
  }

  /** An app without a user. */
  get appCaller(): Caller {
    const [token] = this.#appTokens;
    const owner = this.moderator;
    return { token, owner, isFull: false, viewer: undefined };
  }

  get moderator(): Owner {
    const found = this.people.find(({ isModerator }) => isModerator);
    if (!found) throw new Error("The moderator is not there yet");
    return found;
  }

  /** Somebody who is suspended, or gone, has a successor. */
  async replace(owner: Owner): Promise<void> {
    const index = this.people.indexOf(owner);
    if (index < 0) return;
    this.people.splice(index, 1);
    await this.add(owner.isModerator);
  }

  personOf(accountId: string): Owner | undefined {
    return this.people.find(
      ({ person }) => String(person.record.ID) === accountId,
    );
  }

  /** One follows the other, or asks to. */
  noteAsking(who: Owner, other: Owner): void {
    this.secrets.relate(who, other);
    this.learnId("Asker", String(who.person.record.ID), other);
  }

  /** When a status is published that waits. */
  get later(): string {
    const monthMs = 30 * 86_400_000;
    return new Date(this.#kith.clock.now().getTime() + monthMs).toISOString();
  }

  learnId(kind: string, id: string, by: Owner | undefined): void {
    const known = this.#known.get(kind) ?? [];
    const others = known.filter((it) => it.id !== id || it.by !== by);
    this.#known.set(kind, [{ id, by }, ...others].slice(0, MAX_KNOWN));
  }

  /** Mostly one that this person knows, else one of somebody else. */
  findId(kind: string, owner: Owner, random: Random): string | undefined {
    const all = this.#known.get(kind) ?? [];
    const own = all.filter(({ by }) => by === owner || by === undefined);
    const from = own.length > 0 && random.isLikely(0.75) ? own : all;
    const some = random.isLikely(0.5) ? from.slice(0, 5) : from;
    return random.pickAny(some)?.id;
  }
}
