import { idOf, memberOf, textIn, type Json } from "../json.ts";
import type { NetworkActor } from "./network-actors.ts";

/**
 * Records activities of people on the network, so that their documents agree with
 * them when fetched: pinned posts, and moves.
 */
export class OwnWords {
  readonly #pinned = new Map<string, Set<string>>();
  readonly #movedTo = new Map<string, string>();

  /** @param by the signer: only activities in their own name are recorded */
  note(activity: unknown, by: NetworkActor): void {
    const [object, target] = ["object", "target"].map((name) =>
      idOf(memberOf(activity, name)),
    );
    const type = textIn(activity, "type");
    if (object === undefined || target === undefined) return;
    if (type === "Move" && object === by.id) this.#movedTo.set(by.id, target);
    if (target !== by.featured) return;
    const pinned = this.#pinned.get(target) ?? new Set();
    if (type === "Add") pinned.add(object);
    if (type === "Remove") pinned.delete(object);
    this.#pinned.set(target, pinned);
  }

  /** The current document of an actor. */
  of(actor: NetworkActor): NetworkActor {
    const movedTo = this.#movedTo.get(actor.id);
    return movedTo === undefined ? actor : { ...actor, movedTo };
  }

  /** The document at the address of a collection of an actor; undefined for any other address. */
  collectionAt(
    url: string,
    { outbox, followers, following, featured }: NetworkActor,
  ): Json | undefined {
    if (![outbox, followers, following, featured].includes(url))
      return undefined;
    const items = [...(this.#pinned.get(url) ?? [])];
    return {
      "@context": "https://www.w3.org/ns/activitystreams",
      id: url,
      type: "OrderedCollection",
      totalItems: items.length,
      orderedItems: items,
    };
  }
}
