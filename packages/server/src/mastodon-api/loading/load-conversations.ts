import type { SignedIn } from "../../features/accounts/index.ts";
import type { Conversation } from "../../features/conversations/index.ts";
import { idOfWriting } from "../entities/status.ts";
import { toWireId, type Entity } from "../kit/wire.ts";
import type { MastodonDeps } from "./deps.ts";
import { listWritings } from "./find-writing.ts";
import { loadAccounts } from "./load-accounts.ts";
import { loadStatuses } from "./load-statuses.ts";

/** With the others, or with the viewer where nobody else is left, and the newest message. */
export async function loadConversationEntities(
  deps: MastodonDeps,
  found: readonly Conversation[],
  viewer: SignedIn,
): Promise<Entity[]> {
  const { conversations, people } = deps;
  const ids = found.map(({ id }) => id);
  const [participants, newest] = await Promise.all([
    conversations.listParticipantIds(ids),
    conversations.listNewestMessages(viewer, ids),
  ]);
  const messageIds = [...newest.values()].map(({ id }) => id);
  const [writings, known] = await Promise.all([
    listWritings(deps, messageIds, viewer),
    people.listById([...participants.values()].flat()),
  ]);
  const statuses = await loadStatuses(deps, writings, viewer);
  const byPost = new Map(
    writings.map((writing) => [
      writing.post.id,
      statuses.find(({ id }) => id === String(idOfWriting(writing))),
    ]),
  );
  const everybody = [...known.values()];
  const accounts = await loadAccounts(deps, everybody, viewer);
  const byId = new Map(everybody.map(({ id }, at) => [id, accounts[at]]));
  return found.map(({ id, unread }) => {
    const all = participants.get(id) ?? [];
    const others = all.filter((it) => it !== viewer.personId);
    const shown = others.length > 0 ? others : [viewer.personId];
    return {
      id: toWireId(id),
      unread: unread > 0,
      accounts: shown.flatMap((it) => byId.get(it) ?? []),
      last_status: byPost.get(id) ?? null,
    };
  });
}
