import { readActivity } from "@kith/activitypub";
import type { Events } from "../../../features/events/index.ts";
import type { Fact } from "../../../features/facts.ts";
import type { Participations } from "../../../features/participations/index.ts";
import type { People } from "../../../features/people/index.ts";
import type { Posts } from "../../../features/posts/index.ts";
import { findEventThread } from "../../outbound/event-thread.ts";
import { isRootHere, serverOf } from "../../outbound/outgoing.ts";
import {
  deleteProved,
  findProved,
  parseProved,
} from "../records/proved-store.ts";
import type { NoteThreadChanged } from "./announce-thread.ts";
import { forward, type ForwardDeps } from "./forward.ts";
import type { ListRecipients } from "./pass-on.ts";

type ForwardConfirmedDeps = ForwardDeps & {
  readonly events: Pick<Events, "find">;
  readonly participations: Pick<Participations, "find">;
  readonly people: People;
  readonly posts: Posts;
  readonly listRecipients: ListRecipients;
  readonly noteThreadChanged: NoteThreadChanged;
};

/**
 * Forwards the signed answer of a remote guest to the other servers with a public event once the
 * organizer has confirmed the guest: `pass-on.ts` kept it until then. The members of a limited
 * event are notified to read its thread again, after a refusal, too.
 */
export function createForwardConfirmed(
  deps: ForwardConfirmedDeps,
): (fact: Fact) => Promise<void> {
  const { db, events, participations, people } = deps;
  return async (fact) => {
    if (fact.type !== "participation.replied") return;
    const answer = await participations.find({ id: fact.participationId });
    const event = answer && (await events.find({ id: answer.eventId }));
    const thread = event && (await findEventThread(deps, event));
    const guest = answer && (await people.find({ id: answer.personId }));
    if (guest?.userId !== null || !thread || !isRootHere(thread)) return;
    if (thread.postAuthor.state !== "active" || guest.state !== "active")
      return;
    if (!thread.post.public)
      return deps.noteThreadChanged(thread.post.id, serverOf(guest));
    if (answer.reply !== "confirmed") return;
    const of = { participationId: answer.id };
    const document = await findProved(db.read, of);
    if (document === undefined) return;
    const { post, postAuthor } = thread;
    const to = await deps.listRecipients(thread, guest);
    const activity = readActivity(parseProved(document));
    await forward(deps, activity, document, { post, postAuthor, to });
    await db.transaction((tx) => deleteProved(tx, of));
  };
}
