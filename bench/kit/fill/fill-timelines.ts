import { DatabaseSync, type StatementSync } from "node:sqlite";

const PEOPLE = 20_000;
const CONTACTS = 500;
const ASPECTS = ["Family", "Friends", "Work", "Acquaintances"];
/** The number of comments, likes and reshares of the newest post. */
const CROWD = 10_000;
const PER_TRANSACTION = 50_000;
const BETWEEN_POSTS_MS = 10_000;
const TEXT =
  "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam. #kith";

export type Filled = {
  /** Guid of a plain public post in the middle. */
  readonly plainGuid: string;
  /** Guid of the newest post, with many comments, likes and reshares. */
  readonly crowdedGuid: string;
  /** A person with many posts. */
  readonly authorGuid: string;
};

/** All people's posts, for a reader who is person 1 and user 1 of the database. */
export function fill(file: string, posts: number): Filled {
  const database = new DatabaseSync(file);
  // No data has to survive a power cut.
  database.exec(
    "pragma synchronous = off; pragma cache_size = -400000; pragma wal_autocheckpoint = 100000",
  );
  const filler = new Filler(database, posts);
  filler.fillPeople();
  filler.fillPosts();
  filler.fillCrowd();
  filler.fillNotifications();
  database.exec("commit; pragma wal_checkpoint(truncate)");
  database.close();
  process.stderr.write("\n");
  return {
    plainGuid: filler.plainGuid,
    crowdedGuid: filler.guidOf(posts),
    authorGuid: guid("person", 2),
  };
}

const guid = (kind: string, number: number): string =>
  `${kind}-${number}-`.padEnd(32, "x");

class Filler {
  readonly #database: DatabaseSync;
  readonly #posts: number;
  readonly #statements = new Map<string, StatementSync>();
  readonly #now = new Date().toISOString();
  readonly #startMs: number;
  #written = 0;
  #seed = 42;
  #comments = 0;
  plainGuid = "";

  constructor(database: DatabaseSync, posts: number) {
    this.#database = database;
    this.#posts = posts;
    this.#startMs = Date.now() - (posts + 1) * BETWEEN_POSTS_MS;
    database.exec("begin");
  }

  /** Deterministic. */
  #random(below: number): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  #insert(
    table: string,
    columns: Readonly<Record<string, string | number | null>>,
  ): void {
    const names = Object.keys(columns);
    let statement = this.#statements.get(table);
    if (!statement) {
      const marks = names.map(() => "?").join();
      statement = this.#database.prepare(
        `insert into ${table} (${names.join()}) values (${marks})`,
      );
      this.#statements.set(table, statement);
    }
    statement.run(...Object.values(columns));
    this.#written += 1;
    if (this.#written % PER_TRANSACTION === 0)
      this.#database.exec("commit; begin");
  }

  guidOf(post: number): string {
    return guid("post", post);
  }

  #timeOf(post: number): Date {
    return new Date(this.#startMs + post * BETWEEN_POSTS_MS);
  }

  #idOf(post: number): number {
    return Math.floor(this.#timeOf(post).getTime() / 10) * 4096;
  }

  fillPeople(): void {
    const times = { created_at: this.#now, updated_at: this.#now };
    for (let id = 2; id <= PEOPLE; id += 1) {
      this.#insert("people", {
        id,
        guid: guid("person", id),
        handle: `person${id}@remote.example`,
        public_key_pem: "k".repeat(450),
        state: "active",
        ...times,
      });
      this.#insert("remote_people", {
        person_id: id,
        has_diaspora_key: 1,
        protocol: "diaspora",
      });
      this.#insert("profiles", {
        person_id: id,
        first_name: "First",
        last_name: "Last",
        full_name: "First Last",
        ...{ image_url: "", image_url_small: "", image_url_medium: "" },
        ...{ gender: "", bio: "", location: "" },
        ...{ searchable: 1, bio_for: "everyone", nsfw: 0 },
        ...times,
      });
    }
    for (let id = 2; id <= CONTACTS + 1; id += 1)
      this.#insert("contacts", {
        user_id: 1,
        person_id: id,
        ...{ following: 1, sharing: 1, confirmed: 1 },
        ...times,
      });
    this.#fillAspects(times);
    this.#fillDistance();
  }

  /** Home shows the members of aspects: each contact is in one. */
  #fillAspects(times: { created_at: string; updated_at: string }): void {
    for (const [place, name] of ASPECTS.entries())
      this.#insert("aspects", {
        ...{ id: place + 1, user_id: 1, name, is_default: 0, position: place },
        ...times,
      });
    for (let id = 2; id <= CONTACTS + 1; id += 1)
      this.#insert("aspect_memberships", {
        aspect_id: 1 + (id % ASPECTS.length),
        person_id: id,
        ...times,
      });
  }

  #fillDistance(): void {
    const created_at = this.#now;
    for (let id = PEOPLE - 30; id < PEOPLE - 20; id += 1)
      this.#insert("blocks", {
        person_id: 1,
        blocked_person_id: id,
        created_at,
      });
    for (let id = PEOPLE - 20; id < PEOPLE - 10; id += 1)
      this.#insert("blocks", {
        person_id: id,
        blocked_person_id: 1,
        created_at,
      });
    for (let id = PEOPLE - 10; id < PEOPLE; id += 1)
      this.#insert("ignores", {
        person_id: 1,
        ignored_person_id: id,
        created_at,
      });
  }

  /** Nine in ten are public, of those one in twenty unlisted; every tenth is a reshare. */
  fillPosts(): void {
    for (let post = 1; post <= this.#posts; post += 1) {
      if (post % 10_000 === 0)
        process.stderr.write(`\r${post} of ${this.#posts} posts`);
      const kind = this.#random(100);
      const isPublic = kind >= 10;
      const person = post % 1000 === 0 ? 1 : 1 + this.#random(PEOPLE);
      const root =
        kind >= 90 && post > 1000 ? post - 1 - this.#random(1000) : undefined;
      this.#insertPost(post, person, isPublic, kind >= 10 && kind < 15, root);
      if (!isPublic) this.#insertRecipients(post);
      if (isPublic && root === undefined && post < this.#posts)
        this.#insertReactions(post);
      if (post === Math.floor(this.#posts / 2)) this.#insertPlain();
      if (post % 10_000 === 5)
        this.#insert("hidden_posts", { user_id: 1, post_id: this.#idOf(post) });
    }
  }

  #insertPost(
    post: number,
    person: number,
    isPublic: boolean,
    isUnlisted: boolean,
    root: number | undefined,
  ): void {
    const at = this.#timeOf(post).toISOString();
    this.#insert("posts", {
      id: this.#idOf(post),
      guid: this.guidOf(post),
      person_id: person,
      type: root === undefined ? "StatusMessage" : "Reshare",
      public: isPublic ? 1 : 0,
      listed: isPublic && !isUnlisted ? 1 : 0,
      text: root === undefined ? TEXT : "",
      provider_name: "",
      root_guid: root === undefined ? null : this.guidOf(root),
      root_person_id: root === undefined ? null : 1 + this.#random(PEOPLE),
      uri: `https://remote.example/objects/${this.guidOf(post)}`,
      created_at: at,
      updated_at: at,
    });
  }

  #insertPlain(): void {
    const plain = this.#posts + 1;
    this.plainGuid = this.guidOf(plain);
    const at = this.#now;
    this.#insert("posts", {
      id: this.#idOf(Math.floor(this.#posts / 2)) + 4,
      guid: this.plainGuid,
      ...{ person_id: 2, type: "StatusMessage", public: 1, listed: 1 },
      ...{ text: TEXT, provider_name: "", root_guid: null },
      ...{ root_person_id: null, uri: "https://remote.example/objects/plain" },
      ...{ created_at: at, updated_at: at },
    });
  }

  #insertRecipients(post: number): void {
    const post_id = this.#idOf(post);
    const first = 2 + this.#random(PEOPLE - 5);
    for (let person_id = first; person_id < first + 4; person_id += 1)
      this.#insert("post_recipients", { post_id, person_id });
    if (this.#random(5) === 0)
      this.#insert("post_recipients", { post_id, person_id: 1 });
  }

  #insertReactions(post: number): void {
    if (this.#random(2) === 0)
      this.#insertComment(post, 1 + this.#random(PEOPLE));
    if (this.#random(2) === 0) this.#insertLike(post, 1 + this.#random(PEOPLE));
  }

  #insertComment(post: number, person: number): void {
    this.#comments += 1;
    const at = this.#timeOf(post).toISOString();
    this.#insert("comments", {
      id: this.#comments * 4096 + 1024,
      guid: guid("comment", this.#comments),
      post_id: this.#idOf(post),
      person_id: person,
      text: TEXT,
      ...{ created_at: at, updated_at: at },
    });
  }

  #insertLike(post: number, person: number): void {
    const at = this.#timeOf(post).toISOString();
    this.#insert("likes", {
      guid: guid(`like-${post}`, person),
      shareable_type: "Post",
      shareable_id: this.#idOf(post),
      post_id: this.#idOf(post),
      person_id: person,
      positive: 1,
      ...{ created_at: at, updated_at: at },
    });
  }

  /** A crowd comments on the newest post. Those who reshare it are not among the contacts. */
  fillCrowd(): void {
    for (let person = 2; person < CROWD + 2; person += 1) {
      this.#insertComment(this.#posts, person);
      this.#insertLike(this.#posts, person);
      // Older than the rest, so that they do not fill the stream.
      this.#insertPost(-person, person + CONTACTS, true, false, this.#posts);
    }
  }

  fillNotifications(): void {
    for (let comment = 1; comment <= CROWD; comment += 1)
      this.#insert("notifications", {
        user_id: 1,
        person_id: 2 + this.#random(CONTACTS),
        reason: "comment",
        shareable_type: "Comment",
        shareable_guid: guid("comment", comment),
        unread: comment % 50 === 0 ? 1 : 0,
        ...{ created_at: this.#now, updated_at: this.#now },
      });
  }
}
