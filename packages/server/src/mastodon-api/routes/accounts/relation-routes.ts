import type { SignedIn } from "../../../features/accounts/index.ts";
import {
  readFollowLanguages,
  type FollowChoices,
} from "../../../features/contacts/index.ts";
import type { PersonId } from "../../../features/ids.ts";
import { translate } from "../../../lib/messages/messages.ts";
import { later, timestamp } from "../../../lib/time/clock.ts";
import { ignoreMissing } from "../../kit/ignore-missing.ts";
import type { Input } from "../../kit/input.ts";
import {
  userRoute,
  type MastodonRoute,
  type UserCall,
} from "../../kit/mastodon-route.ts";
import type { Scope } from "../../../features/oauth/index.ts";
import { toWireId } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { getActivePerson } from "../../loading/load-accounts.ts";
import { loadRelationship } from "../../loading/load-relationships.ts";
import { presentList } from "../../entities/small.ts";

type Act = (id: PersonId, call: UserCall) => Promise<unknown>;

/** Follows, blocks, mutes and notes. */
export function relationRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { aspects, blocks, contacts, personNotes } = deps;
  const act = (name: string, scope: Scope, run: Act): MastodonRoute =>
    userRoute({
      method: "POST",
      path: `/v1/accounts/:id/${name}`,
      scope,
      limit: "write",
      handle: async (call) => {
        const person = await getActivePerson(deps, call.id());
        await run(person.id, call);
        return loadRelationship(deps, call.viewer, person.id);
      },
    });
  return [
    act("follow", "write:follows", (id, { input, viewer }) =>
      follow(deps, viewer, id, readChoices(input)),
    ),
    act("unfollow", "write:follows", (id, { viewer }) =>
      ignoreMissing(aspects.unfollow(viewer, id)),
    ),
    act("remove_from_followers", "write:follows", (id, { viewer }) =>
      ignoreMissing(contacts.removeFollower(viewer, id)),
    ),
    act("block", "write:blocks", (id, { viewer }) => blocks.block(viewer, id)),
    act("unblock", "write:blocks", (id, { viewer }) =>
      ignoreMissing(blocks.unblock(viewer, id)),
    ),
    act("mute", "write:mutes", (id, { input, viewer }) => {
      const seconds = input.uint("duration") ?? 0;
      return blocks.ignore(viewer, id, endOf(deps, seconds));
    }),
    act("unmute", "write:mutes", (id, { viewer }) =>
      ignoreMissing(blocks.unignore(viewer, id)),
    ),
    act("note", "write:accounts", (id, { input, viewer }) =>
      personNotes.save(viewer.userId, id, input.text("comment") ?? ""),
    ),
    ...aboutRoutes(deps),
  ];
}

function aboutRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { aspects } = deps;
  return [
    userRoute({
      method: "GET",
      path: "/v1/accounts/:id/lists",
      scope: "read:lists",
      limit: "read",
      handle: async ({ id, viewer }) => {
        const person = await getActivePerson(deps, id());
        const found = await aspects.listHolding(viewer.userId, person.id);
        return found.map(presentList);
      },
    }),
    userRoute({
      method: "GET",
      path: "/v1/accounts/familiar_followers",
      scope: "read:follows",
      limit: "read",
      // Nobody learns who follows others.
      handle: async ({ input }) =>
        input.ids("id").map((id) => ({ id: toWireId(id), accounts: [] })),
    }),
  ];
}

/** To the default aspect, if the person is in none. */
async function follow(
  { accounts, aspects }: MastodonDeps,
  user: SignedIn,
  id: PersonId,
  choices: Partial<FollowChoices>,
): Promise<void> {
  const { locale } = await accounts.getSettings(user.userId);
  const aspect = translate(locale, "aspects.default");
  await aspects.follow(user, id, aspect, { choices });
}

/** The choices that are sent; others stay. */
function readChoices(input: Input): Partial<FollowChoices> {
  const reshares = input.flag("reblogs");
  const notify = input.flag("notify");
  return {
    ...(reshares !== undefined && { reshares }),
    ...(notify !== undefined && { notify }),
    ...(input.has("languages") && {
      languages: readFollowLanguages(input.texts("languages")),
    }),
  };
}

/** @returns undefined for good */
function endOf(
  { clock }: Pick<MastodonDeps, "clock">,
  seconds: number,
): string | undefined {
  if (seconds === 0) return undefined;
  const most = Math.min(seconds, MAX_MUTE_S);
  return timestamp(later(clock.now(), most * 1_000));
}

const MAX_MUTE_S = 50 * 365 * 86_400;
