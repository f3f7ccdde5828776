import type { SignedIn } from "../../features/accounts/index.ts";
import type { PublicEvent } from "../../features/changes/index.ts";
import type { MastodonDeps } from "../loading/deps.ts";
import { findWriting } from "../loading/find-writing.ts";
import { loadStatuses } from "../loading/load-statuses.ts";

/** An event as it is sent: its name, and a text. */
export type RenderedEvent = {
  readonly event: "update" | "status.update" | "delete";
  readonly payload: string;
};

/** @returns undefined for what is gone by now */
export type RenderPublic = (
  event: PublicEvent,
) => Promise<RenderedEvent | undefined>;

/** Renders each public event once, as nobody sees it, for all who are told of it. */
export function createRenderPublic(deps: MastodonDeps): RenderPublic {
  const rendered = new WeakMap<
    PublicEvent,
    Promise<RenderedEvent | undefined>
  >();
  return (event) => {
    const before = rendered.get(event);
    if (before) return before;
    const rendering = renderPublicFor(deps, event, null);
    rendered.set(event, rendering);
    return rendering;
  };
}

/** @param user somebody whose filters warn of it, or null */
export async function renderPublicFor(
  deps: MastodonDeps,
  { type, postId }: PublicEvent,
  user: SignedIn | null,
): Promise<RenderedEvent | undefined> {
  if (type === "deletion") return { event: "delete", payload: String(postId) };
  const writing = await findWriting(deps, postId, user);
  const [status] = writing
    ? await loadStatuses(deps, [writing], user, "public")
    : [];
  return (
    status && {
      event: type === "post" ? "update" : "status.update",
      payload: JSON.stringify(status),
    }
  );
}
