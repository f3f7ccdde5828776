import assert from "node:assert/strict";
import type { Owner } from "./mastodon-world.ts";

/** The readers of a text: a fixed set, or all who were ever related to its author. */
export type Readers = {
  readonly fixed: ReadonlySet<Owner>;
  readonly relatedTo?: Owner;
};

const MARK = /zq(\d+)qz/g;

/** Texts that only some people may read, recognizable in any answer. */
export class Secrets {
  readonly #readers: Readers[] = [];
  readonly #related = new Map<Owner, Set<Owner>>();
  readonly #ofStatus = new Map<string, Readers>();

  /** A text for its author alone. */
  of(owner: Owner): string {
    return this.readBy({ fixed: new Set([owner]) });
  }

  among(people: readonly Owner[]): [text: string, readers: Readers] {
    const readers = { fixed: new Set(people) };
    return [this.readBy(readers), readers];
  }

  ofFollowers(owner: Owner): string {
    return this.readBy({ fixed: new Set([owner]), relatedTo: owner });
  }

  readBy(readers: Readers): string {
    this.#readers.push(readers);
    return `hush zq${this.#readers.length - 1}qz`;
  }

  /** They follow each other, or one has put the other into a list: now, or once. */
  relate(one: Owner, other: Owner): void {
    for (const [of, who] of [
      [one, other],
      [other, one],
    ] as const)
      this.#related.set(of, (this.#related.get(of) ?? new Set()).add(who));
  }

  remember(statusId: string, readers: Readers): void {
    this.#ofStatus.set(statusId, readers);
  }

  /** Private conversations that somebody reads: their statuses, with their readers. */
  conversationsOf(owner: Owner): [statusId: string, readers: Readers][] {
    return [...this.#ofStatus].filter(([, { fixed }]) => fixed.has(owner));
  }

  /** @param viewer undefined for nobody, who reads none */
  check(text: string, viewer: Owner | undefined, what: () => string): void {
    // Moderators read what is reported.
    if (viewer?.isModerator) return;
    for (const [mark, number] of text.matchAll(MARK)) {
      const readers = this.#readers[Number(number)];
      const isFor =
        readers !== undefined &&
        viewer !== undefined &&
        (readers.fixed.has(viewer) ||
          (readers.relatedTo !== undefined &&
            this.#related.get(readers.relatedTo)?.has(viewer)));
      assert.ok(isFor, `${mark} is not for this reader: ${what()}`);
    }
  }
}
