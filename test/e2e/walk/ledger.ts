import assert from "node:assert/strict";
import type { Expected } from "./look.ts";

/** A person's statement that all readers of the post must eventually see. */
type Said = {
  readonly by: string;
  readonly text: string;
  readonly likers: Set<string>;
};

type Entry = {
  readonly by: string;
  readonly text: string;
  /** The names of its readers; undefined for everyone. */
  readonly audience: ReadonlySet<string> | undefined;
  readonly answers: readonly string[];
  isRemoved: boolean;
  readonly comments: Map<string, Said>;
  readonly marks: Map<string, boolean>;
  readonly votes: Map<string, string>;
};

/** All acknowledged actions, which must be visible everywhere. */
export class Ledger {
  readonly #posts = new Map<string, Entry>();

  publish(
    guid: string,
    post: Pick<Entry, "by" | "text" | "audience" | "answers">,
  ): void {
    this.#posts.set(guid, {
      ...post,
      isRemoved: false,
      comments: new Map(),
      marks: new Map(),
      votes: new Map(),
    });
  }

  get guids(): string[] {
    return [...this.#posts.keys()];
  }

  has(guid: string): boolean {
    return this.#posts.has(guid);
  }

  get(guid: string): Entry {
    const entry = this.#posts.get(guid);
    assert.ok(entry, "nobody sees a post that nobody wrote");
    return entry;
  }

  /** Guids of a person's comments that are not retracted. */
  listSaid(by: string): { post: string; comment: string }[] {
    return [...this.#posts].flatMap(([post, { comments }]) =>
      [...comments]
        .filter(([, said]) => said.by === by)
        .map(([comment]) => ({ post, comment })),
    );
  }

  /** Guids of a person's posts that are not retracted. */
  listOwn(by: string): string[] {
    return [...this.#posts]
      .filter(([, entry]) => entry.by === by && !entry.isRemoved)
      .map(([guid]) => guid);
  }

  /** The final view of a post by a person. */
  expect(guid: string, who: string): Expected | "hidden" {
    const entry = this.get(guid);
    const { by, text, audience, answers, votes, marks } = entry;
    const isGiven = audience === undefined || audience.has(who) || by === who;
    if (entry.isRemoved || !isGiven) return "hidden";
    const comments = [...entry.comments.values()].map(
      ({ by: author, text: said, likers }) =>
        `${author}: ${said}${likers.size === 0 ? "" : ` (+${likers.size})`}`,
    );
    const markers = (positive: boolean) =>
      [...marks].filter(([, sign]) => sign === positive).map(([name]) => name);
    const count = (answer: string) =>
      [...votes.values()].filter((chosen) => chosen === answer).length;
    return {
      by,
      text,
      public: audience === undefined,
      question: answers.length > 0 ? text : null,
      votes: Object.fromEntries(answers.map((one) => [one, count(one)])),
      comments: comments.toSorted(),
      likes: markers(true).toSorted(),
      dislikes: markers(false).toSorted(),
    };
  }
}
