import assert from "node:assert/strict";
import { sql } from "kysely";
import {
  assertError,
  type Sent,
} from "../../packages/server/test/support/server/api-client.ts";
import type {
  KithServer,
  TestPerson,
} from "../../packages/server/test/support/server/kith-server.ts";
import { RemoteActor } from "./remote-actor.ts";

/** Any record. The watcher checks its fields against the document. */
export type Rec = {
  readonly [field: string]: unknown;
  readonly ID: number;
  readonly Guid: string;
  readonly CreatedAt: string;
  readonly Name: string;
  readonly Text: string;
  readonly PersonID: number;
  readonly Public: boolean;
  readonly Person: Rec;
  readonly Profile: Rec;
  readonly Comments: Rec[];
};

export type Form = NonNullable<Sent["form"]>;

/** The environment of one row's test. */
export type RowTest = (stage: Stage, text: string) => Promise<void>;

export type Rows = Readonly<Record<string, RowTest>>;

/** Three local people, of whom ann has bob in her aspect, and a way to create remote people. */
export class Stage {
  readonly kith: KithServer;
  readonly ann: TestPerson;
  readonly bob: TestPerson;
  /** A person whom no one knows. */
  readonly cam: TestPerson;
  /** An aspect of ann's, with bob in it. */
  readonly friends: Rec;
  readonly #remotes: RemoteActor[] = [];

  static async open(kith: KithServer): Promise<Stage> {
    const [ann, bob, cam] = [
      await kith.person({ handle: "ann" }),
      await kith.person({ handle: "bob" }),
      await kith.person({ handle: "cam" }),
    ];
    const friends = await ann.post<Rec>("/aspects", { name: "friends" });
    await ann.post(`/people/${bob.record.ID}/aspects/${friends.ID}`);
    return new Stage(kith, ann, bob, cam, friends);
  }

  private constructor(
    kith: KithServer,
    ann: TestPerson,
    bob: TestPerson,
    cam: TestPerson,
    friends: Rec,
  ) {
    this.kith = kith;
    this.ann = ann;
    this.bob = bob;
    this.cam = cam;
    this.friends = friends;
  }

  post(by: TestPerson, more: Form = {}): Promise<Rec> {
    return by.post<Rec>("/posts", { post: "Hello", ...more });
  }

  /** For ann's friends only. */
  privatePost(more: Form = {}): Promise<Rec> {
    return this.post(this.ann, { aspectID: this.friends.ID, ...more });
  }

  comment(by: TestPerson, on: Rec, comment = "Indeed"): Promise<Rec> {
    return by.post<Rec>(`/posts/${on.ID}/comments`, { comment });
  }

  like(by: TestPerson, on: Rec, more: Form = {}): Promise<Rec> {
    return by.post<Rec>(`/posts/${on.ID}/likes`, more);
  }

  aspect(by: TestPerson, name = "circle"): Promise<Rec> {
    return by.post<Rec>("/aspects", { name });
  }

  calendar(by: TestPerson, name = "work"): Promise<Rec> {
    return by.post<Rec>("/calendar", { name });
  }

  event(by: TestPerson, more: Form = {}): Promise<Rec> {
    return by.post<Rec>("/calendar/events", {
      start: "2027-05-01T10:00:00Z",
      end: "2027-05-01T11:00:00Z",
      summary: "Picnic",
      ...more,
    });
  }

  /** A person's notifications, newest first. */
  async notifications(of: TestPerson): Promise<Rec[]> {
    await this.kith.settle();
    return of.get<Rec[]>("/notifications");
  }

  /** A remote person, as found by ann's server. */
  async meet(name: string): Promise<{ actor: RemoteActor; person: Rec }> {
    const actor = await RemoteActor.start(name);
    this.#remotes.push(actor);
    const { handle } = actor;
    const person = await this.ann.post<Rec>("/search", { handle });
    return { actor, person };
  }

  /** A remote person who follows `whom`. */
  async follower(name: string, whom = this.ann): Promise<RemoteActor> {
    const { actor } = await this.meet(name);
    const uri = this.actorUri(whom.username);
    const follow = actor.activity("Follow", { object: uri });
    assert.equal(await actor.send(`${uri}/inbox`, follow), 202);
    await this.kith.settle();
    assert.equal(actor.got("Accept").length, 1, "the follow is accepted");
    return actor;
  }

  actorUri(username: string): string {
    return `${this.kith.baseUrl}/api/v1/ap/person/${username}`;
  }

  /** Calls while a table is missing, so that it can be neither read nor written. */
  async withoutTable(table: string, call: () => Promise<void>): Promise<void> {
    const rename = (from: string, to: string) =>
      this.kith.db.transaction((tx) =>
        sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(
          tx,
        ),
      );
    await rename(table, "put_away");
    try {
      await call();
    } finally {
      await rename("put_away", table);
    }
  }

  /** A call that cannot be saved is a 500 with the fixed message. */
  async failsToSave(
    table: string,
    by: TestPerson,
    method: string,
    path: string,
    form: Form = {},
  ): Promise<void> {
    const sent = method === "GET" ? { query: form } : { form };
    await this.withoutTable(table, async () => {
      const answer = await by.call(method, path, sent);
      assertError(answer, 500, "Internal server error", `${method} ${path}`);
    });
  }

  async close(): Promise<void> {
    for (const remote of this.#remotes) await remote.close();
  }
}

/** A call without a token is refused, whatever its parameters. */
export function needsToken(
  { kith }: Stage,
  method: string,
  path: string,
): Promise<void> {
  return kith.anonymous.unauthorized(method, path);
}

export const NOWHERE = "0".repeat(32);
