import type { Audience, Kind, Subject } from "./subjects.ts";

/** The answer to one viewer. */
export type Answer = { readonly status: number; readonly all: string };

/** Lists show at least so many new objects of each kind. */
const MADE_TOGETHER = 4;

/**
 * New objects of several audiences, for a probe of a list: each viewer asks once for all of
 * them, unless the path names one.
 */
export class Batch {
  readonly about: Kind;
  readonly #audiences: readonly Audience[];
  readonly #make: (about: Kind, audience: Audience) => Promise<Subject>;
  readonly #answers = new Map<string, Promise<Answer>>();
  #subjects: Promise<ReadonlyMap<Audience, Subject>> | undefined;

  constructor(
    about: Kind,
    audiences: readonly Audience[],
    make: (about: Kind, audience: Audience) => Promise<Subject>,
  ) {
    this.about = about;
    this.#audiences = audiences;
    this.#make = make;
  }

  async subjectFor(audience: Audience): Promise<Subject | undefined> {
    this.#subjects ??= this.#makeAll();
    return (await this.#subjects).get(audience);
  }

  async #makeAll(): Promise<ReadonlyMap<Audience, Subject>> {
    const made = new Map<Audience, Subject>();
    for (const audience of this.#audiences)
      made.set(audience, await this.#make(this.about, audience));
    return made;
  }

  /** @param question names the viewer and the path */
  answerOnce(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = this.#answers.get(question) ?? ask();
    this.#answers.set(question, answer);
    return answer;
  }
}

/** Parts of the audiences, in their order. */
export function batchesOf(audiences: readonly Audience[]): Audience[][] {
  return Array.from(
    { length: Math.ceil(audiences.length / MADE_TOGETHER) },
    (_, n) => audiences.slice(n * MADE_TOGETHER, (n + 1) * MADE_TOGETHER),
  );
}
