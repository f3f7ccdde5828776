import { HOME_REPLIES, type HomeReplies } from "../../features/homes/index.ts";
import type { AspectId } from "../../features/ids.ts";
import { flag, readInput, text, uint } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { HOME } from "../session/places.ts";

const CHOICE = Type.Object({
  aspect: uint("Only the members of this aspect"),
  show: text(
    "tags for followed tags, here for public posts of this server, all for everything known here",
  ),
  reshares: flag("false leaves out posts that are there because of reshares"),
  replies: Type.Optional(
    Type.String({
      enum: [...HOME_REPLIES],
      description:
        "Also comments of the people of the list, by whom they answer",
    }),
  ),
});

/** The tabs beside the home and its aspects. */
const OTHERS = ["tags", "here", "all"] as const;

/** A tab of the home. */
export type HomeTab =
  | { readonly kind: "home" | (typeof OTHERS)[number] }
  | { readonly kind: "aspect"; readonly aspectId: AspectId };

/** The chosen list of posts. */
export type HomeView = {
  readonly tab: HomeTab;
  readonly reshares: boolean;
  /** Which comments stand beside the posts; without it none. */
  readonly replies?: HomeReplies | undefined;
};

export const WHOLE_HOME: HomeView = { tab: { kind: "home" }, reshares: true };

/** The list that the query of the page selects. */
export function readHomeView(parameters: Parameters): HomeView {
  const {
    aspect,
    show,
    reshares = true,
    ...more
  } = readInput(CHOICE, parameters);
  const asked = more.replies as HomeReplies | undefined;
  const replies = asked === "none" ? undefined : asked;
  if (aspect !== undefined) {
    const aspectId = aspect as AspectId;
    return { tab: { kind: "aspect", aspectId }, reshares, replies };
  }
  const kind = OTHERS.find((it) => it === show);
  if (kind !== undefined) return { tab: { kind }, reshares: true };
  return { tab: { kind: "home" }, reshares, replies };
}

/** The list that such a query selects; the whole home for what is no list. */
export function readHomeQuery(query: string): HomeView {
  try {
    return readHomeView(Object.fromEntries(new URLSearchParams(query)));
  } catch (error) {
    if (error instanceof KithError) return WHOLE_HOME;
    throw error;
  }
}

/** The address of a list. */
export function homePath(view: HomeView): string {
  const query = homeQuery(view);
  return query === "" ? HOME : `${HOME}?${query}`;
}

/** The query that selects a list, without a question mark. */
export function homeQuery({ tab, reshares, replies }: HomeView): string {
  const query = new URLSearchParams();
  if (tab.kind === "aspect") query.set("aspect", String(tab.aspectId));
  else if (tab.kind !== "home") query.set("show", tab.kind);
  if (!reshares) query.set("reshares", "false");
  if (replies !== undefined) query.set("replies", replies);
  return query.toString();
}

/** The address that says how many posts of a list are newer than one of them. */
export function newsPath(view: HomeView, after: number): string {
  const query = homeQuery(view);
  return `/parts/news?${query === "" ? "" : `${query}&`}after=${after}`;
}
