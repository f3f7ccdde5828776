import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import type { Session, Settings } from "../../features/accounts/index.ts";
import type { DefaultAudience } from "../../features/audiences/index.ts";
import type { AspectId } from "../../features/ids.ts";
import { flag, readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { QUOTABLE } from "../compose/post-draft.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { readIds } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { privacyTexts as texts } from "../languages/texts.ts";
import { PRIVACY_SETTINGS } from "../session/places.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import {
  DEFAULT_AUDIENCES,
  privacyView,
  type PrivacyChoices,
} from "./privacy-view.ts";
import type { SettingsDraft } from "./settings-view.ts";

const CHOICES = Type.Object({
  audience: text("Who sees a post, unless its author chooses otherwise"),
  aspect: Type.Optional(
    Type.Array(Type.String(), { description: "The ids of the chosen aspects" }),
  ),
  quotable_by: text("Who may quote posts that do not say it"),
  locked: flag("Does the user approve each follower?"),
  searchable: flag("May people find the user by name?"),
  indexable: flag("May other servers search the public posts?"),
});

/** The people whom the user's posts reach, and those who find, follow and quote the user. */
export function privacyRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    PRIVACY_SETTINGS,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      const choices = await loadChoices(context, session);
      return sendPrivacy(context, reply, session, { choices });
    },
  );
  app.post(
    PRIVACY_SETTINGS,
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session)
        return askToSignIn(context, request, reply, { to: PRIVACY_SETTINGS });
      checkCsrf(session, request.parameters);
      return receiveChoices(context, request, reply, session);
    },
  );
}

async function receiveChoices(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const choices = choicesOf(readInput(CHOICES, request.parameters));
  try {
    await save(context, session, choices);
  } catch (error) {
    const isRefused =
      error instanceof KithError &&
      ["bad_request", "not_found"].includes(error.code);
    if (!isRefused) throw error;
    const said = { fault: texts.refused };
    return sendPrivacy(context, reply, session, { choices, ...said }, 422);
  }
  const said = { notice: texts.saved };
  return sendPrivacy(context, reply, session, { choices, ...said });
}

/** @throws {KithError} `bad_request` or `not_found` for a choice that there is not */
async function save(
  { accounts, audiences, people }: PagesContext,
  { user }: Session,
  { audience, aspectIds, quotableBy, ...profile }: PrivacyChoices,
): Promise<void> {
  const kind = DEFAULT_AUDIENCES.find((it) => it === audience);
  const quotable = QUOTABLE.find((it) => it === quotableBy);
  const isNobody = kind === "aspects" && aspectIds.length === 0;
  if (kind === undefined || quotable === undefined || isNobody)
    throw new KithError("bad_request", "There is no such choice.");
  const chosen: DefaultAudience =
    kind === "aspects" ? { kind, aspectIds } : { kind };
  await accounts.changeSettings(
    user.userId,
    { audience: chosen, quotableBy: quotable },
    async (tx) => {
      await audiences.checkDefault(tx, user.userId, chosen);
      await people.changeProfileIn(tx, user.personId, profile);
    },
  );
}

function choicesOf(input: Static<typeof CHOICES>): PrivacyChoices {
  return {
    audience: input.audience ?? "",
    aspectIds: readIds(input.aspect) as AspectId[],
    quotableBy: input.quotable_by ?? "",
    locked: input.locked === true,
    searchable: input.searchable === true,
    indexable: input.indexable === true,
  };
}

async function loadChoices(
  { accounts, people }: PagesContext,
  { user }: Session,
): Promise<PrivacyChoices> {
  const [settings, person] = await Promise.all([
    accounts.getSettings(user.userId),
    people.find({ id: user.personId }),
  ]);
  if (!person) throw new KithError("not_found", "No such person.");
  const { locked, searchable, indexable } = person.profile;
  return { ...usualOf(settings), locked, searchable, indexable };
}

function usualOf({
  audience,
  quotableBy,
}: Settings): Pick<PrivacyChoices, "audience" | "aspectIds" | "quotableBy"> {
  const aspectIds = audience.kind === "aspects" ? audience.aspectIds : [];
  return { audience: audience.kind, aspectIds, quotableBy };
}

async function sendPrivacy(
  { aspects }: PagesContext,
  reply: FastifyReply,
  session: Session,
  page: SettingsDraft & { readonly choices: PrivacyChoices },
  status = 200,
): Promise<FastifyReply> {
  const own = await aspects.list(session.user.userId);
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    session,
    main: privacyView(session, own, page.choices, page),
  });
}
