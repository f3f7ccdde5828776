import type { Touched } from "../../features/freshness/index.ts";

/** The things that an answer shows, so that it is kept until a write touches that. */
export type AnswerScope = {
  /** The answer depends on the time, too, so it is not kept. */
  dontKeep(): void;
  /** Posts that it shows, with all that belongs to them. */
  addPosts(ids: Iterable<number>): void;
  /** Guids of posts that it shows or would show, and addresses of pages with previews. */
  addNames(names: Iterable<string>): void;
  /**
   * Which new posts may belong in its list: all, unless it says which.
   * @param isListed by the authors of new posts, and the tags that posts have now
   */
  listOnly(
    isListed: (touched: Pick<Touched, "authors" | "tags">) => boolean,
  ): void;
};

const hasNews = ({ authors, tags }: Pick<Touched, "authors" | "tags">) =>
  authors.size > 0 || tags.size > 0;

/** The scope of one answer to one user. */
export class CollectedScope implements AnswerScope {
  readonly #userId: number;
  readonly #posts = new Set<number>();
  readonly #names = new Set<string>();
  #isListed = hasNews;
  #isKept = true;

  constructor(userId: number) {
    this.#userId = userId;
  }

  get isKept(): boolean {
    return this.#isKept;
  }

  dontKeep(): void {
    this.#isKept = false;
  }

  addPosts(ids: Iterable<number>): void {
    for (const id of ids) this.#posts.add(id);
  }

  addNames(names: Iterable<string>): void {
    for (const name of names) this.#names.add(name);
  }

  listOnly(isListed: typeof hasNews): void {
    this.#isListed = isListed;
  }

  isConcernedBy(touched: Touched | undefined): boolean {
    return (
      touched === undefined ||
      touched.users.has(this.#userId) ||
      !touched.posts.isDisjointFrom(this.#posts) ||
      !touched.names.isDisjointFrom(this.#names) ||
      this.#isListed(touched)
    );
  }
}
