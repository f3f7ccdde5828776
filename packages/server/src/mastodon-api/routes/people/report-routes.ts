import type { SignedIn } from "../../../features/accounts/index.ts";
import type {
  Category,
  ReportTarget,
} from "../../../features/moderation/index.ts";
import { CATEGORIES } from "../../../features/moderation/index.ts";
import { presentReportOf } from "../../entities/small.ts";
import { idOfWriting, type Writing } from "../../entities/status.ts";
import {
  userRoute,
  type MastodonRoute,
  type UserCall,
} from "../../kit/mastodon-route.ts";
import { invalid } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { listWritings } from "../../loading/find-writing.ts";
import { getActivePerson, loadAccount } from "../../loading/load-accounts.ts";

/** Each status is a report of its own. */
const MAX_STATUSES = 10;

/** Reports to the moderators. */
export function reportingRoutes(deps: MastodonDeps): MastodonRoute[] {
  return [
    userRoute({
      method: "POST",
      path: "/v1/reports",
      scope: "write:reports",
      limit: "costly",
      handle: (call) => report(deps, call),
    }),
  ];
}

async function report(
  deps: MastodonDeps,
  { input, viewer }: UserCall,
): Promise<Entity> {
  const person = await getActivePerson(deps, input.id("account_id") ?? 0);
  const ids = input.ids("status_ids").slice(0, MAX_STATUSES);
  const writings = (await listWritings(deps, ids, viewer)).filter(
    ({ post, comment }) => (comment ?? post).personId === person.id,
  );
  const said = {
    text: input.text("comment") ?? "",
    category: readCategory(input.filled("category")),
    forward: input.flag("forward") ?? false,
  };
  const targets: ReportTarget[] =
    writings.length > 0
      ? writings.map(targetOf)
      : [{ kind: "person", key: { id: person.id } }];
  const about = { by: viewer, targets, ...said };
  const [first] = await deps.moderation.reportAll(about);
  if (!first) throw new Error("Nothing was reported");
  const account = await loadAccount(deps, person, viewer satisfies SignedIn);
  return presentReportOf(first, account, writings.map(idOfWriting));
}

function readCategory(word: string | undefined): Category {
  if (word === undefined) return "other";
  const known = CATEGORIES.find((it) => it === word);
  if (known === undefined)
    throw invalid("Category is not included in the list");
  return known;
}

const targetOf = ({ post, comment }: Writing): ReportTarget =>
  comment
    ? { kind: "comment", key: { id: comment.id } }
    : { kind: "post", key: { id: post.id } };
