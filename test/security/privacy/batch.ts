import type { Audience, Kind, Subject } from "./subjects.ts";
import type { PrivacyWorld } from "./world.ts";

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
  readonly #world: () => PrivacyWorld;
  readonly #answers = new Map<string, Promise<Answer>>();
  #subjects: Promise<ReadonlyMap<Audience, Subject>> | undefined;

  constructor(
    about: Kind,
    audiences: readonly Audience[],
    world: () => PrivacyWorld,
  ) {
    this.about = about;
    this.#audiences = audiences;
    this.#world = world;
  }

  async subjectFor(audience: Audience): Promise<Subject | undefined> {
    this.#subjects ??= this.#makeAll();
    return (await this.#subjects).get(audience);
  }

  async #makeAll(): Promise<ReadonlyMap<Audience, Subject>> {
    const made = new Map<Audience, Subject>();
    const world = this.#world();
    // Comments get their places in homes with the first reading: these, before the new objects.
    await world.author.get("/home?replies=all&limit=1");
    for (const audience of this.#audiences)
      made.set(audience, await world.make(this.about, audience));
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
