import { BARE, type PostView } from "../e2e/walk/look.ts";

/** The outcome of a call: done, refused, or unknown. */
export type Outcome = "done" | "refused" | "unknown";

/** The possible states: one as long as every call was answered, several otherwise. */
class Belief<T> {
  #possible: Set<T>;

  constructor(first: T) {
    this.#possible = new Set([first]);
  }

  note(value: T, outcome: Outcome): void {
    if (outcome === "done") this.#possible = new Set([value]);
    if (outcome === "unknown") this.#possible.add(value);
  }

  mayBe(value: T): boolean {
    return this.#possible.has(value);
  }

  describe(): string {
    return [...this.#possible].join(" or ");
  }
}

export type Mark = "like" | "dislike" | "none";

type Comment = { readonly by: string; readonly exists: Belief<boolean> };

type Post = {
  readonly by: string;
  /** The names of its readers besides the author; undefined for everyone. */
  readonly audience: ReadonlySet<string> | undefined;
  readonly exists: Belief<boolean>;
  /** The text of the public post that it quotes. */
  readonly quotes: string | undefined;
  /** By their texts, which are unique. */
  readonly comments: Map<string, Comment>;
  readonly marks: Map<string, Belief<Mark>>;
};

/** A person's view: the posts by their texts, which are unique. */
export type Seen = ReadonlyMap<string, readonly PostView[]>;

/** People's actions and their answers, from which the required, possible and forbidden states follow. */
export class Ledger {
  readonly #posts = new Map<string, Post>();
  readonly counts: Record<Outcome, number> = {
    done: 0,
    refused: 0,
    unknown: 0,
  };

  count(outcome: Outcome): Outcome {
    this.counts[outcome] += 1;
    return outcome;
  }

  get texts(): string[] {
    return [...this.#posts.keys()];
  }

  /** Recorded before sending: others may see it before its author gets the answer. */
  startPost(
    text: string,
    by: string,
    {
      audience,
      quotes,
    }: {
      readonly audience?: ReadonlySet<string> | undefined;
      readonly quotes?: string;
    } = {},
  ): void {
    this.#posts.set(text, {
      by,
      audience,
      quotes,
      exists: new Belief(false),
      comments: new Map(),
      marks: new Map(),
    });
  }

  notePost(text: string, exists: boolean, outcome: Outcome): void {
    this.#posts.get(text)?.exists.note(exists, outcome);
  }

  startComment(post: string, text: string, by: string): void {
    const comment = { by, exists: new Belief(false) };
    this.#posts.get(post)?.comments.set(text, comment);
  }

  noteComment(
    post: string,
    text: string,
    exists: boolean,
    outcome: Outcome,
  ): void {
    this.#posts.get(post)?.comments.get(text)?.exists.note(exists, outcome);
  }

  noteMark(post: string, by: string, mark: Mark, outcome: Outcome): void {
    const marks = this.#posts.get(post)?.marks;
    const belief = marks?.get(by) ?? new Belief<Mark>("none");
    belief.note(mark, outcome);
    marks?.set(by, belief);
  }

  /** @returns the deviations of one post in these people's views, each in a few words */
  judge(text: string, seenBy: ReadonlyMap<string, Seen>): string[] {
    const post = this.#posts.get(text);
    if (!post) return [`“${text}” was written by nobody`];
    const faults: string[] = [];
    const views: PostView[] = [];
    for (const [name, seen] of seenBy) {
      const [view, ...more] = seen.get(text) ?? [];
      if (more.length > 0) faults.push(`${name} sees it doubled`);
      if (!maySee(post, name)) {
        if (view) faults.push(`${name} may not see it`);
        continue;
      }
      if (!post.exists.mayBe(view !== undefined))
        faults.push(view ? `${name} still sees it` : `${name} has lost it`);
      if (view) faults.push(...judgeView(post, view, name));
      if (view) faults.push(...this.#judgeQuote(post, view, name));
      views.push(view ?? ABSENT);
    }
    const [first, ...others] = views.map((view) => JSON.stringify(view));
    if (others.some((other) => other !== first))
      faults.push("they do not see the same");
    return faults.map((fault) => `“${text}” by ${post.by}: ${fault}`);
  }

  /** A quote is shown as long as the quoted post exists, and never another post. */
  #judgeQuote({ quotes }: Post, view: PostView, name: string): string[] {
    const quoted = quotes === undefined ? undefined : this.#posts.get(quotes);
    if (view.quotes === (quotes ?? null)) {
      const isGone = quoted && !quoted.exists.mayBe(true);
      return isGone ? [`${name} still sees “${quotes}” quoted`] : [];
    }
    const mayBeGone = quoted?.exists.mayBe(false) === true;
    const isLeftOut = view.quotes === null || view.quotes.startsWith("(");
    return mayBeGone && isLeftOut
      ? []
      : [`${name} sees “${view.quotes ?? "nothing"}” quoted, not “${quotes}”`];
  }

  /** Visible posts that no one wrote. */
  listUnknown(seen: Seen): string[] {
    return [...seen.keys()].filter((text) => !this.#posts.has(text));
  }
}

const ABSENT: PostView = { ...BARE, by: "nobody", text: "" };

function maySee({ by, audience }: Post, name: string): boolean {
  return audience === undefined || by === name || audience.has(name);
}

function judgeView(post: Post, view: PostView, name: string): string[] {
  const faults: string[] = [];
  const said = new Set(view.comments);
  if (said.size < view.comments.length)
    faults.push(`${name} sees a comment doubled`);
  for (const [text, { by, exists }] of post.comments) {
    const line = `${by}: ${text}`;
    if (!exists.mayBe(said.has(line)))
      faults.push(
        said.has(line)
          ? `${name} still sees “${line}”`
          : `${name} has lost “${line}”`,
      );
    said.delete(line);
  }
  for (const line of said) faults.push(`nobody said “${line}”`);
  const people = new Set([
    ...post.marks.keys(),
    ...view.likes,
    ...view.dislikes,
  ]);
  for (const by of people) {
    const mark = markOf(view, by);
    const belief = post.marks.get(by) ?? new Belief<Mark>("none");
    if (mark === "doubled" || !belief.mayBe(mark))
      faults.push(
        `${name} sees ${by}'s mark as ${mark}, not ${belief.describe()}`,
      );
  }
  return faults;
}

function markOf({ likes, dislikes }: PostView, by: string): Mark | "doubled" {
  const marks = [
    ...likes.filter((name) => name === by).map(() => "like" as const),
    ...dislikes.filter((name) => name === by).map(() => "dislike" as const),
  ];
  return marks.length > 1 ? "doubled" : (marks[0] ?? "none");
}
