import type {
  Administration,
  SignedIn,
} from "../../features/accounts/index.ts";
import type { PersonId } from "../../features/ids.ts";
import { usernameOf } from "../../features/people/index.ts";
import type { Suspensions } from "../../features/suspensions/index.ts";
import { parseHandle } from "../../lib/handle.ts";
import { presentRole } from "../entities/account.ts";
import { toWireId, toWireTime, type Entity } from "../kit/wire.ts";
import type { MastodonDeps } from "../loading/deps.ts";
import { loadAccounts } from "../loading/load-accounts.ts";

export type AdminDeps = MastodonDeps & {
  readonly administration: Pick<
    Administration,
    "approve" | "get" | "list" | "reject"
  >;
  readonly suspensions: Pick<Suspensions, "decide" | "find" | "list">;
};

type Decided = NonNullable<
  Awaited<ReturnType<AdminDeps["suspensions"]["find"]>>
>;

/** Presents people as moderators see them, in their order. No addresses are stored of anybody. */
export async function loadAdminAccounts(
  deps: AdminDeps,
  list: readonly Decided[],
  viewer: SignedIn,
): Promise<Entity[]> {
  const people = list.map(({ person }) => person);
  const accounts = await loadAccounts(deps, people, viewer);
  return list.map(({ person, role, decision }, at) => ({
    id: toWireId(person.id),
    username: usernameOf(person),
    domain:
      person.userId === null ? (parseHandle(person.handle)?.host ?? "") : null,
    created_at: toWireTime(person.createdAt),
    ...{ email: "", ip: null, ips: [], locale: null, invite_request: null },
    role: role && presentRole(role),
    ...{ confirmed: true, approved: true, disabled: false, sensitized: false },
    silenced: decision.silenced,
    suspended: decision.suspended,
    account: accounts[at],
  }));
}

/** @returns null for nobody, and for somebody who has left altogether */
export async function loadAdminAccount(
  deps: AdminDeps,
  id: PersonId | null,
  viewer: SignedIn,
): Promise<Entity | null> {
  const found = id === null ? undefined : await deps.suspensions.find(id);
  const [entity] = found ? await loadAdminAccounts(deps, [found], viewer) : [];
  return entity ?? null;
}
