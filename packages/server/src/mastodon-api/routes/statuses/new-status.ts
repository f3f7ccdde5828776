import type { Audience } from "../../../features/audiences/index.ts";
import type { AspectId, PhotoId, PostId } from "../../../features/ids.ts";
import { MAX_POLL_TEXT_LENGTH } from "../../../features/polls/index.ts";
import { checkWarning } from "../../../features/posts/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { readLanguageTag } from "../../../lib/language-tag.ts";
import { later, timestamp, type Timestamp } from "../../../lib/time/clock.ts";
import type { SignedIn } from "../../../features/accounts/index.ts";
import { withoutMarkup } from "../../entities/content.ts";
import { POLLS } from "../../entities/instance.ts";
import type { Input } from "../../kit/input.ts";
import { invalid } from "../../kit/refusals.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { completeMentions } from "./complete-mentions.ts";

export const VISIBILITIES = [
  "public",
  "unlisted",
  "private",
  "direct",
] as const;
export type Visible = (typeof VISIBILITIES)[number];

/** A status as a program sends it. */
export type NewStatus = {
  readonly text: string;
  readonly warning: string | null;
  readonly isSensitive: boolean;
  /** undefined: as usual for the user. */
  readonly quotableBy: Post["quotableBy"] | undefined;
  /** undefined: the usual one of the user. */
  readonly language: string | null | undefined;
  /** undefined: the default of the user, or of what is replied to. */
  readonly visibility: Visible | undefined;
  readonly aspectIds: readonly AspectId[];
  readonly photoIds: readonly PhotoId[];
  readonly quoteId: PostId | null;
  readonly replyTo: number | undefined;
  readonly poll: NewPollChoice | null;
};

export type NewPollChoice = {
  readonly question: string;
  readonly answers: readonly string[];
  readonly multiple: boolean;
  /** undefined: it has no end. */
  readonly durationS: number | undefined;
  readonly hidesTotals: boolean;
};

/** When a poll ends whose post is published now. */
export const endOfPoll = (
  { clock }: Pick<MastodonDeps, "clock">,
  { durationS }: NewPollChoice,
): Timestamp | undefined =>
  durationS === undefined
    ? undefined
    : timestamp(later(clock.now(), durationS * 1_000));

/** @throws {Refusal} or {KithError} for what cannot be published */
export async function readNewStatus(
  deps: MastodonDeps,
  input: Input,
): Promise<NewStatus> {
  const text = await completeMentions(deps, input.text("status") ?? "");
  const photoIds = input.ids("media_ids") as PhotoId[];
  const poll = readPoll(input.record("poll"), text);
  if (text.trim() === "" && photoIds.length === 0)
    throw invalid("Text can't be blank");
  const quoteId = input.id("quoted_status_id") ?? input.id("quote_id");
  return {
    text,
    warning: checkWarning(input.text("spoiler_text")),
    isSensitive: input.flag("sensitive") ?? false,
    language: readLanguage(input.filled("language")),
    quotableBy: readQuotable(input.filled("quote_approval_policy")),
    visibility: readVisibility(input.filled("visibility")),
    aspectIds: input.ids("aspect_ids") as AspectId[],
    photoIds,
    quoteId: quoteId === undefined ? null : (quoteId as PostId),
    replyTo: input.id("in_reply_to_id"),
    poll,
  };
}

const QUOTABLE: Readonly<Record<string, Post["quotableBy"]>> = {
  public: "everyone",
  followers: "followers",
  nobody: "nobody",
};

/** @throws {Refusal} for a policy that there is not */
export function readQuotable(
  word: string | undefined,
): Post["quotableBy"] | undefined {
  if (word === undefined) return undefined;
  const known = Object.hasOwn(QUOTABLE, word) ? QUOTABLE[word] : undefined;
  if (known === undefined)
    throw invalid("Quote approval policy is not included in the list");
  return known;
}

/** @returns null for a language that is none: programs send those of their system */
export const readLanguage = (
  tag: string | undefined,
): string | null | undefined =>
  tag === undefined ? undefined : (readLanguageTag(tag) ?? null);

function readVisibility(word: string | undefined): Visible | undefined {
  if (word === undefined) return undefined;
  const known = VISIBILITIES.find((it) => it === word);
  if (known === undefined)
    throw invalid("Visibility is not included in the list");
  return known;
}

/** @returns null without options */
export function readPoll(
  given: Input | undefined,
  text: string,
): NewPollChoice | null {
  const answers =
    given?.texts("options").filter((it) => it.trim() !== "") ?? [];
  if (!given || answers.length === 0) return null;
  const durationS = given.uint("expires_in");
  const isPossible =
    durationS === undefined ||
    (durationS >= POLLS.min_expiration && durationS <= POLLS.max_expiration);
  if (!isPossible) throw invalid("Poll: Duration is too long or too short");
  return {
    question: questionOf(text),
    answers,
    multiple: given.flag("multiple") ?? false,
    hidesTotals: given.flag("hide_totals") ?? false,
    durationS,
  };
}

/** The first line of the text is the question. */
function questionOf(text: string): string {
  const [line = ""] = withoutMarkup(text).split("\n", 1);
  return [...line].slice(0, MAX_POLL_TEXT_LENGTH).join("").trim();
}

/**
 * The audience of a new post that is no private message.
 * @throws {KithError} `bad_request` if all aspects of the default were deleted
 */
export async function audienceOfStatus(
  { accounts, audiences, db }: MastodonDeps,
  { userId }: SignedIn,
  { visibility, aspectIds }: Pick<NewStatus, "aspectIds" | "visibility">,
): Promise<Audience> {
  switch (visibility) {
    case "public":
      return { kind: "everyone" };
    case "unlisted":
      return { kind: "unlisted" };
    case "direct":
      return { kind: "self" };
    case "private":
      return aspectIds.length > 0
        ? { kind: "aspects", aspectIds }
        : { kind: "followers" };
    case undefined: {
      const { audience } = await accounts.getSettings(userId);
      return audiences.narrowDefault(db.read, userId, audience);
    }
  }
}
