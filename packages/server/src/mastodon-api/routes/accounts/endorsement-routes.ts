import type { UserId } from "../../../features/ids.ts";
import { KithError } from "../../../lib/errors.ts";
import {
  publicRoute,
  userRoute,
  type AnyCall,
  type MastodonRoute,
} from "../../kit/mastodon-route.ts";
import { OF_ACCOUNTS, readAskedPage } from "../../kit/paging.ts";
import { invalid } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import {
  getActivePerson,
  loadAccountsById,
} from "../../loading/load-accounts.ts";
import { loadRelationship } from "../../loading/load-relationships.ts";

/** People whom users show on their profiles, among those whom they follow. */
export function endorsementRoutes(deps: MastodonDeps): MastodonRoute[] {
  const act = (name: string, featured: boolean): MastodonRoute =>
    userRoute({
      method: "POST",
      path: `/v1/accounts/:id/${name}`,
      scope: "write:accounts",
      limit: "write",
      handle: async ({ id, viewer }) => {
        const person = await getActivePerson(deps, id());
        await feature(deps, viewer.userId, person.id, featured);
        return loadRelationship(deps, viewer, person.id);
      },
    });
  return [
    act("endorse", true),
    act("unendorse", false),
    // Their names before Mastodon 4.4.
    act("pin", true),
    act("unpin", false),
    userRoute({
      method: "GET",
      path: "/v1/endorsements",
      scope: "read:accounts",
      limit: "read",
      handle: (call) => listEndorsed(deps, call, call.viewer.userId),
    }),
    publicRoute({
      method: "GET",
      path: "/v1/accounts/:id/endorsements",
      scope: "read:accounts",
      limit: "read",
      handle: async (call) => {
        const { userId } = await getActivePerson(deps, call.id());
        // Those of people elsewhere are not known here.
        return userId === null ? [] : listEndorsed(deps, call, userId);
      },
    }),
  ];
}

/** Ending what is not there succeeds. @throws {Refusal} for somebody who is not followed */
async function feature(
  { contacts }: MastodonDeps,
  userId: UserId,
  personId: Parameters<MastodonDeps["contacts"]["changeChoices"]>[1],
  featured: boolean,
): Promise<void> {
  try {
    await contacts.changeChoices(userId, personId, { featured });
  } catch (error) {
    if (!(error instanceof KithError && error.code === "not_found"))
      throw error;
    if (featured)
      throw invalid(
        "You must be already following the person you want to endorse",
      );
  }
}

async function listEndorsed(
  deps: MastodonDeps,
  { input, link, viewer }: Pick<AnyCall, "input" | "link" | "viewer">,
  userId: UserId,
): Promise<Entity[]> {
  const page = readAskedPage(input, OF_ACCOUNTS);
  const found = await deps.contacts.listWithKeys(userId, "featured", page);
  link(
    page,
    found.map(({ key }) => key),
  );
  const ids = found.map(({ personId }) => personId);
  return loadAccountsById(deps, ids, viewer);
}
