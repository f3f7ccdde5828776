/** A post of somebody here, as its author last wrote it. */
export type OwnPost = {
  readonly guid: string;
  readonly by: string;
  readonly text: string;
  /** The names of its readers besides the author; undefined for everybody. */
  readonly readers: ReadonlySet<string> | undefined;
};

/** By their Guids, who wrote them. */
type Authors = Map<string, string>;

/** All that the server has acknowledged to people here, and what they took back. */
export class Ledger {
  readonly posts = new Map<string, OwnPost>();
  /** Comments on posts by people here, with the post. */
  readonly comments = new Map<string, { by: string; post: string }>();
  readonly likes = new Map<string, { by: string; post: string }>();
  /** By their Guids, with the post that they are in. */
  readonly photos = new Map<string, { by: string; post: string }>();
  readonly events: Authors = new Map();
  readonly messages: Authors = new Map();
  /** Of other servers, on which somebody here wrote a comment, or which somebody here liked. */
  readonly elsewhere = new Set<string>();
  /** Posts that the server wrote of events of people here: with their authors. */
  readonly announcements: Authors = new Map();
  readonly deleted = {
    posts: new Set<string>(),
    comments: new Set<string>(),
    likes: new Set<string>(),
    photos: new Set<string>(),
  };
  /** Number of acknowledged calls that wrote something. */
  acknowledged = 0;

  /**
   * The posts of other servers that must stay: those of which a comment or like by somebody here is
   * left. The rules for storage may remove one whose last comment was deleted.
   */
  kept(): Set<string> {
    const touched = [...this.comments.values(), ...this.likes.values()];
    return new Set(touched.map(({ post }) => post)).intersection(
      this.elsewhere,
    );
  }

  /** With all that is below it. */
  deletePost(guid: string): void {
    this.posts.delete(guid);
    this.deleted.posts.add(guid);
    this.#deleteBelow(({ post }) => post === guid);
  }

  /** A person left, with all that was theirs, and all below their posts. */
  leave(name: string): void {
    for (const post of [...this.posts.values()])
      if (post.by === name) this.deletePost(post.guid);
    this.#deleteBelow(
      ({ by, post }) => by === name || this.announcements.get(post) === name,
    );
    for (const owned of [this.events, this.messages])
      for (const [guid, by] of owned) if (by === name) owned.delete(guid);
  }

  #deleteBelow(isDeleted: (it: { by: string; post: string }) => boolean): void {
    for (const kind of ["comments", "likes", "photos"] as const)
      for (const [guid, it] of this[kind])
        if (isDeleted(it)) {
          this[kind].delete(guid);
          this.deleted[kind].add(guid);
        }
  }
}
