import { readActivity } from "@kith/activitypub";
import type { Fact } from "../../../features/facts.ts";
import { serverOf } from "../../outbound/outgoing.ts";
import {
  deleteProved,
  findProved,
  parseProved,
} from "../records/proved-store.ts";
import {
  findRepliedGuest,
  type RepliedGuestDeps,
} from "../sending/replied-guest.ts";
import type { NoteThreadChanged } from "./announce-thread.ts";
import { forward, type ForwardDeps } from "./forward.ts";
import type { ListRecipients } from "./pass-on.ts";

type ForwardConfirmedDeps = ForwardDeps &
  RepliedGuestDeps & {
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
  const { db } = deps;
  return async (fact) => {
    const found = await findRepliedGuest(deps, fact);
    if (found?.guest.state !== "active") return;
    const { answer, guest, thread } = found;
    if (!thread.post.public)
      return deps.noteThreadChanged(thread.post.id, serverOf(guest));
    if (answer.reply !== "confirmed") return;
    const of = { participationId: answer.id };
    const document = await findProved(db.read, of);
    if (document === undefined) return;
    const { post, postAuthor } = thread;
    const to = await deps.listRecipients(thread, guest);
    const activity = readActivity(parseProved(document));
    await forward(deps, activity, document, [{ post, postAuthor, to }]);
    await db.transaction((tx) => deleteProved(tx, of));
  };
}
