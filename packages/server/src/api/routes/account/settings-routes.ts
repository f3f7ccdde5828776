import type { Static } from "typebox";
import { Type } from "../../../lib/json-schema.ts";
import type { Accounts, Settings } from "../../../features/accounts/index.ts";
import type {
  Audiences,
  DefaultAudience,
} from "../../../features/audiences/index.ts";
import type { Events } from "../../../features/events/index.ts";
import { MAX_LEAD_MINUTES } from "../../../features/reminders/index.ts";
import type { People } from "../../../features/people/index.ts";
import { flag, text } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { ASPECT_IDS, readAudience } from "../../kit/audience-input.ts";
import { checkLanguage } from "../../kit/language-input.ts";
import { quotableBy } from "../../kit/quotable-input.ts";
import { DEFAULT_AUDIENCE_WORDS } from "../../schemas/audience-words.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { one } from "../../schemas/schemas.ts";

const CHANGES = Type.Object({
  Locale: text("The language in which the server speaks, such as en"),
  TimeZone: text("The IANA name of a time zone, such as Europe/Berlin"),
  Audience: Type.Optional(
    Type.Unsafe<(typeof DEFAULT_AUDIENCE_WORDS)[number]>({
      type: "string",
      enum: [...DEFAULT_AUDIENCE_WORDS],
      description:
        "The audience of posts for which neither audience nor aspectID nor people are given",
    }),
  ),
  AspectID: ASPECT_IDS,
  LinkPreviews: flag(
    "Does this server read the pages that your public posts link, to show previews?",
  ),
  PostLanguage: text(
    "The language of what you write without naming one: a tag of BCP 47, such as pt-BR; blank for none",
  ),
  QuotableBy: quotableBy("Who may quote your posts that do not say it"),
  EventReminder: text(
    "How many minutes before an event you are reminded, from 0 to 40320; blank for never",
  ),
  DayReminder: text(
    "The same for events that last all day: minutes before the day begins where you are",
  ),
  ReadLanguages: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "The languages that you read: the home and public posts leave out what others wrote in others. A blank one alone for all",
    }),
  ),
});

export type SettingsRoutesDeps = {
  readonly accounts: Accounts;
  readonly audiences: Pick<Audiences, "checkDefault">;
  readonly events: Pick<Events, "renewReminders">;
  readonly people: People;
};

export function settingsRoutes(deps: SettingsRoutesDeps): ApiRoute[] {
  const { accounts } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:accounts",
      name: "showSettings",
      path: "/settings",
      summary: "Shows your settings.",
      input: NO_INPUT,
      output: one("Settings"),
      handle: async ({ user }) =>
        presentSettings(await accounts.getSettings(user.userId)),
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:accounts",
      name: "changeSettings",
      path: "/settings",
      summary: "Changes the given settings of yours.",
      input: CHANGES,
      output: one("Settings"),
      handle: async ({ user, input }) => {
        const { Locale, TimeZone, LinkPreviews } = input;
        const reminders = readReminders(input);
        const audience = await readDefault(deps, input);
        return presentSettings(
          await accounts.changeSettings(
            user.userId,
            {
              ...(Locale === undefined ? {} : { locale: Locale }),
              ...(TimeZone === undefined ? {} : { timeZone: TimeZone }),
              ...(audience && { audience }),
              ...(LinkPreviews === undefined
                ? {}
                : { linkPreviews: LinkPreviews }),
              ...readLanguageChanges(input),
              ...(input.QuotableBy && { quotableBy: input.QuotableBy }),
              ...reminders,
            },
            async (tx) => {
              if (audience)
                await deps.audiences.checkDefault(tx, user.userId, audience);
              if (TimeZone !== undefined || Object.keys(reminders).length > 0)
                await deps.events.renewReminders(tx, { userId: user.userId });
            },
          ),
        );
      },
    }),
  ];
}

/** @throws {KithError} `bad_request` for an audience without its aspects, or the reverse */
async function readDefault(
  deps: SettingsRoutesDeps,
  { Audience: audience, AspectID: aspectID = [] }: Static<typeof CHANGES>,
): Promise<DefaultAudience | undefined> {
  const chosen = await readAudience(deps, {
    ...(audience && { audience }),
    aspectID,
  });
  if (chosen?.kind === "people" || chosen?.kind === "mentioned")
    throw new KithError("bad_request", "The default audience must be lasting.");
  return chosen;
}

function readLanguageChanges({
  PostLanguage: language,
  ReadLanguages: read,
}: Static<typeof CHANGES>): Partial<Settings> {
  return {
    ...(language !== undefined && {
      postLanguage: checkLanguage(language, "PostLanguage"),
    }),
    ...(read !== undefined && {
      readLanguages: read.flatMap(
        (tag) => checkLanguage(tag, "ReadLanguages") ?? [],
      ),
    }),
  };
}

function readReminders({
  EventReminder: event,
  DayReminder: day,
}: Static<typeof CHANGES>): Partial<Settings> {
  return {
    ...(event !== undefined && {
      eventReminder: readMinutes(event, "EventReminder"),
    }),
    ...(day !== undefined && { dayReminder: readMinutes(day, "DayReminder") }),
  };
}

/** @throws {KithError} `bad_request` */
function readMinutes(given: string, name: string): number | null {
  const typed = given.trim();
  if (typed === "") return null;
  if (!/^\d{1,5}$/.test(typed) || Number(typed) > MAX_LEAD_MINUTES)
    throw new KithError(
      "bad_request",
      `The parameter ${name} must be between 0 and ${MAX_LEAD_MINUTES}, or blank.`,
    );
  return Number(typed);
}

function presentSettings(settings: Settings): WireRecord {
  const { locale, timeZone, audience, linkPreviews } = settings;
  return {
    Locale: locale,
    TimeZone: timeZone,
    Audience: audience.kind,
    AspectIDs: audience.kind === "aspects" ? audience.aspectIds : [],
    LinkPreviews: linkPreviews,
    PostLanguage: settings.postLanguage,
    ReadLanguages: settings.readLanguages,
    QuotableBy: settings.quotableBy,
    EventReminder: settings.eventReminder,
    DayReminder: settings.dayReminder,
  };
}
