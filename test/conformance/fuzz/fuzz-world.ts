import { sign, type KeyObject } from "node:crypto";
import type {
  ApiDocument,
  JsonSchema,
} from "../../../packages/server/src/http/api-document.ts";
import { takeRsaPair } from "../../../packages/server/test/support/server/rsa-pairs.ts";
import {
  PASSWORD,
  type KithServer,
  type TestPerson,
} from "../../../packages/server/test/support/server/kith-server.ts";
import type {
  CalendarAddressesRecord,
  PostRecord,
} from "../../../packages/server/test/support/server/wire.ts";
import { newGuid } from "../../../packages/server/src/lib/guids.ts";
import { timestamp } from "../../../packages/server/src/lib/time/clock.ts";
import type { Random } from "../../support/random.ts";
import type { Rec } from "../stage.ts";

const USERS = 4;
/** The number of objects of each kind; the newest are kept, because the older ones are mostly deleted. */
const MAX_KNOWN = 40;

type Mover = { readonly handle: string; readonly privateKey: KeyObject };

async function meetMover(kith: KithServer, handle: string) {
  const { publicKeyPem, privateKey } = takeRsaPair();
  const seedLocation = "https://moving.example/";
  const person = await kith.server.features.remotePeople.store({
    handle,
    publicKeyPem,
    keys: [],
    protocols: ["diaspora"],
    addresses: {
      actorUri: null,
      inboxUri: null,
      sharedInboxUri: null,
      followersUri: null,
      seedLocation,
      profileUrl: null,
    },
    profile: {},
  });
  return { handle, privateKey, person };
}

/** Of somebody who stays. @returns the address of its feed */
async function publishCalendar(owner: TestPerson): Promise<string> {
  const { ID } = await owner.post<Rec>("/calendar", { name: "public" });
  const path = `/calendar/${ID}/addresses`;
  const { PublicURL } = await owner.get<CalendarAddressesRecord>(path);
  return PublicURL;
}

function signFor({ privateKey }: Mover, from: string, to: string): string {
  const base = Buffer.from(`AccountMigration:${from}:${to}`);
  return sign("sha256", base, privateKey).toString("base64");
}

type Read = {
  readonly $ref?: string;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
};

/** The callers, and the known objects, learned from the answers. */
export class FuzzWorld {
  readonly users: TestPerson[] = [];
  /** The admin, who is none of the users. */
  #admin: TestPerson | undefined;
  /** Remote people: one who moves here, and one to whom others move. */
  movers: readonly Mover[] = [];
  readonly #kith: KithServer;
  readonly #schemas: ApiDocument["components"]["schemas"];
  readonly #known = new Map<string, Rec[]>();
  #answers: readonly Rec[] = [];
  #uploads = 0;
  /** The post that quotes the one that was found last. */
  quoting: Rec | undefined;

  /** The address of a calendar that can be subscribed to. */
  calendarUrl = "";

  static async open(
    kith: KithServer,
    document: ApiDocument,
  ): Promise<FuzzWorld> {
    const world = new FuzzWorld(kith, document);
    world.#admin = await kith.person({ role: "admin" });
    world.calendarUrl = await publishCalendar(await kith.person());
    while (world.users.length < USERS) await world.addUser();
    return world;
  }

  private constructor(kith: KithServer, { components }: ApiDocument) {
    this.#kith = kith;
    this.#schemas = components.schemas;
  }

  /** A new user, replacing the oldest one. */
  async addUser(): Promise<void> {
    const user = await this.#kith.person();
    // Its last use is recorded now, and not again for a day.
    await user.get("/aspects");
    this.users.push(user);
    if (this.users.length > USERS) this.users.shift();
    this.#add("Person", user.record as unknown as Rec);
    // Another token than the one in use: what lists say of tokens does not name their owner.
    const spare = await this.#kith.token(user.username, "spare");
    const { UserID } = user.record;
    this.#add("Token", { ...spare, UserID } as unknown as Rec);
    await this.#befriend(user);
    await this.#warn(user);
    await this.#hold(user);
    await this.#quote(user);
    await this.#share(user);
    await this.#ask(user);
    await this.#askToCome(user);
    await this.#upload(user);
    await this.#register(`waits_for_${user.username}`);
    await this.#meetMovers(user.username);
  }

  /** New ones: an admin may have suspended the previous ones. */
  async #meetMovers(name: string): Promise<void> {
    const meet = (what: string) =>
      meetMover(this.#kith, `${what}_with_${name}@moving.example`);
    this.movers = [await meet("comes"), await meet("goes")];
  }

  /** A decision about the user to appeal against, and one with an appeal to answer. */
  async #warn(user: TestPerson): Promise<void> {
    const { features } = this.#kith.server;
    const { ID: personId } = user.record;
    const decided = { by: null, personId, decision: "warn" } as const;
    const page = { offset: 0, limit: 2 };
    for (const message of ["to be appealed", "appealed"])
      await features.suspensions.decide({ ...decided, message });
    const [appealed, other] = await features.strikes.listOf(personId, page);
    if (!appealed || !other) throw new Error("The warnings are not stored");
    await features.strikes.appeal({ personId }, appealed.id, "not so");
    for (const [name, { id, guid }] of [
      ["Strike", other],
      ["Appealed", appealed],
    ] as const)
      this.#add(name, {
        ID: id,
        Guid: guid,
        PersonID: personId,
      } as unknown as Rec);
  }

  /** A comment that waits, for its author, and one for moderators. */
  async #hold(user: TestPerson): Promise<void> {
    const { ID: postId } = await user.post<PostRecord>("/posts", {
      post: "a comment waits below",
    });
    const { held } = this.#kith.server.features.spamRules;
    const { ID: personId } = user.record;
    for (const name of ["OwnHeldText", "HeldText"]) {
      const guid = newGuid();
      const found = await this.#kith.db.transaction(async (tx) => {
        await held.insert(tx, {
          ...{ kind: "comment", guid, uri: null, personId, postId },
          ...{ rule: "fuzz", createdAt: timestamp(this.#kith.clock.now()) },
          comment: {
            ...{ text: `${name} waits`, warning: null, language: null },
            ...{ emojis: [], parentGuid: null, mentioned: null, photos: [] },
            ...{ createdAt: null, updatedAt: null },
          },
        });
        return held.find(tx, { guid });
      });
      const { id: ID = 0 } = found ?? {};
      this.#add(name, { ID, Guid: guid, PersonID: personId } as unknown as Rec);
    }
  }

  /** Some have an import to start or to stop, and the others can upload one. */
  async #upload({ record: { UserID } }: TestPerson): Promise<void> {
    this.#uploads += 1;
    const state = [undefined, "rehearsed", "importing"][this.#uploads % 3];
    if (state === undefined) return;
    const at = timestamp(this.#kith.clock.now());
    const { id } = await this.#kith.db.transaction((tx) =>
      tx
        .insertInto("imports")
        .values({
          ...{ user_id: UserID, file_key: "none", file_name: "none", state },
          ...{ created_at: at, changed_at: at },
        })
        .returning("id")
        .executeTakeFirstOrThrow(),
    );
    this.#add("Import", { ID: id, UserID } as unknown as Rec);
  }

  /** Two people elsewhere ask to follow the user, for either answer. */
  async #ask(user: TestPerson): Promise<void> {
    const { contacts } = this.#kith.server.features;
    const { UserID } = user.record;
    await user.put("/profile", { Locked: true });
    for (const name of ["asks", "also_asks"]) {
      const handle = `${name}_${user.username}@moving.example`;
      const { person } = await meetMover(this.#kith, handle);
      if (!person) throw new Error(`${handle} is not stored`);
      await contacts.receiveSharing(UserID, person.id, true);
      const asker = { ID: person.id, Guid: person.guid, UserID };
      this.#add("Asker", asker as unknown as Rec);
    }
    await user.put("/profile", { Locked: false });
  }

  /** A pending account. */
  async #register(username: string): Promise<void> {
    const { accounts } = this.#kith.server.features;
    const registration = { username, password: PASSWORD } as const;
    await accounts.signUp({ ...registration, state: "pending" });
  }

  /** Adds a person to an aspect, since calls with a non-empty one are rare. */
  async #befriend(user: TestPerson): Promise<void> {
    const aspect = await user.post<Rec>("/aspects", { name: "friends" });
    this.#add("Aspect", aspect);
    const other = this.users.at(-2)?.record.ID;
    const path = `/people/${other}/aspects/${aspect.ID}`;
    const { status, text } = await user.call("POST", path);
    // The other one may have left by now.
    if (status === 200) this.#add("Membership", JSON.parse(text) as Rec);
  }

  /** The user quotes a public post of somebody else, which calls hardly ever do by chance. */
  async #quote(user: TestPerson): Promise<void> {
    const all = { audience: "everyone", quotable_by: "everyone" } as const;
    const quoted = await this.users
      .at(-2)
      ?.call("POST", "/posts", { form: { post: "to be quoted", ...all } });
    // The other one may have left by now.
    if (quoted?.status !== 200) return;
    const { ID } = JSON.parse(quoted.text) as Rec;
    const form = { post: "as you say", quoteID: ID, ...all };
    const quoting = await user.call("POST", "/posts", { form });
    // An admin may have suspended the other one.
    if (quoting.status === 200)
      this.#add("Post", JSON.parse(quoting.text) as Rec);
  }

  /** Somebody else shares a calendar with the user, who alone can leave it. */
  async #share(user: TestPerson): Promise<void> {
    const other = this.users.at(-2);
    const made = await other?.call("POST", "/calendar", {
      form: { name: "shared" },
    });
    // The other one may have left by now.
    if (!other || made?.status !== 200) return;
    const { ID } = JSON.parse(made.text) as Rec;
    const { ID: personID, UserID } = user.record;
    const shared = await other.call("POST", `/calendar/${ID}/shares`, {
      form: { personID },
    });
    if (shared.status === 200)
      this.#add("Reading", { ID, UserID } as unknown as Rec);
  }

  /** Somebody else asks to come to an event of the user, who alone can reply. */
  async #askToCome(user: TestPerson): Promise<void> {
    const event = await user.post<Rec>("/calendar/events", {
      ...{ summary: "guests", approval: true },
      ...{ start: "2127-05-01T10:00:00Z", end: "2127-05-01T11:00:00Z" },
    });
    const path = `/calendar/events/${event.ID}/participation`;
    const form = { status: "accepted" };
    const asked = await this.users.at(-2)?.call("PUT", path, { form });
    // The other one may have left by now.
    if (asked?.status !== 200) return;
    const guest = JSON.parse(asked.text) as Rec;
    const { UserID } = user.record;
    this.#add("Guest", { ...guest, UserID });
  }

  /** A signature of one of the movers for one of the users. */
  signMove(random: Random): string {
    const [comes, goes] = this.movers;
    if (!comes || !goes) throw new Error("The movers are not there yet");
    const { handle } = random.pick(this.users);
    return random.isLikely(0.5)
      ? signFor(comes, comes.handle, handle)
      : signFor(goes, handle, goes.handle);
  }

  get admin(): TestPerson {
    if (!this.#admin) throw new Error("The admin is not there yet");
    return this.#admin;
  }

  /** A user whose token is invalid is replaced. */
  async replace(user: TestPerson): Promise<void> {
    if (user === this.#admin) {
      this.#admin = await this.#kith.person({ role: "admin" });
      return;
    }
    const index = this.users.indexOf(user);
    if (index >= 0) this.users.splice(index, 1);
    await this.addUser();
  }

  /** One that exists, or existed. */
  find(record: string, random: Random): Rec | undefined {
    const known = this.#known.get(record) ?? [];
    // Newer objects are more likely to exist still.
    const some = random.isLikely(0.6) ? known.slice(0, 5) : known;
    return some.length === 0 ? undefined : random.pick(some);
  }

  /** A post with a poll; its answers are those of the next vote. */
  findPolled(random: Random): Rec | undefined {
    const polled = (this.#known.get("Post") ?? []).filter((it) => it["Poll"]);
    const found = polled.length === 0 ? undefined : random.pick(polled);
    const { Answers = [] } = (found?.["Poll"] ?? {}) as { Answers?: Rec[] };
    this.#answers = Answers;
    return found;
  }

  /** A post that somebody else quotes. */
  findQuoted(random: Random): Rec | undefined {
    const pairs = (this.#known.get("Post") ?? []).flatMap((quoting) => {
      const quoted = quoting["Quote"] as Rec | undefined;
      return quoted?.PersonID !== undefined &&
        quoted.PersonID !== quoting.PersonID
        ? [{ quoting, quoted }]
        : [];
    });
    const found = pairs.length === 0 ? undefined : random.pick(pairs);
    this.quoting = found?.quoting;
    return found?.quoted;
  }

  findGroupKey(random: Random): string {
    const groups = this.#known.get("NotificationGroup") ?? [];
    return groups.length === 0 ? "" : String(random.pick(groups)["Key"]);
  }

  /** The Guid of an answer of the latest poll. */
  findAnswer(random: Random): string {
    const [first, ...others] = this.#answers;
    return first ? String(random.pick([first, ...others]).Guid) : "";
  }

  findById(record: string, id: number): Rec | undefined {
    return this.#known.get(record)?.find(({ ID }) => ID === id);
  }

  /** The owner of a record, if it is one of the users. */
  ownerOf(record: Rec): TestPerson | undefined {
    return this.users.find(
      ({ record: { ID, UserID } }) =>
        record["UserID"] === UserID || record.PersonID === ID,
    );
  }

  /** Remembers every record in an answer. */
  learn(schema: JsonSchema, value: unknown): void {
    const { $ref, items, anyOf, properties } = schema as Read;
    if (value === null || typeof value !== "object") return;
    if (anyOf) for (const one of anyOf.slice(0, 1)) this.learn(one, value);
    else if ($ref !== undefined) this.#learnRecord($ref, value as Rec);
    else if (items && Array.isArray(value))
      for (const item of value) this.learn(items, item);
    else if (properties)
      for (const [name, property] of Object.entries(properties))
        this.learn(property, (value as Rec)[name]);
  }

  #learnRecord($ref: string, value: Rec): void {
    const name = $ref.slice("#/components/schemas/".length);
    const { ID, Guid, Key } = value;
    if (ID !== undefined || Guid !== undefined || Key !== undefined)
      this.#add(name, value);
    const schema = this.#schemas[name];
    if (schema) this.learn(schema, value);
  }

  #add(name: string, record: Rec): void {
    const known = this.#known.get(name) ?? [];
    this.#known.set(name, [record, ...known].slice(0, MAX_KNOWN));
  }
}
