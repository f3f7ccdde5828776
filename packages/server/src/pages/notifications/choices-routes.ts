import type { FastifyInstance, FastifyReply } from "fastify";
import type { Static } from "typebox";
import type { Session } from "../../features/accounts/index.ts";
import {
  NOTIFICATION_KINDS,
  NOTIFYING_PEOPLE,
  UNWANTED_PEOPLE,
  type NotificationChoices,
} from "../../features/notifications/index.ts";
import { readInput } from "../../http/input/input.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { sendPage } from "../kit/send-page.ts";
import { notificationTexts } from "../languages/texts.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import {
  NOTIFICATION_CHOICES,
  notificationChoicesView,
} from "./choices-view.ts";

const texts = notificationTexts.choices;

const SENDERS = Type.Optional(
  Type.Unsafe<(typeof NOTIFYING_PEOPLE)[number]>({
    ...{ type: "string", enum: [...NOTIFYING_PEOPLE] },
    description: "Whose acts of this kind",
  }),
);

const CHANGES = Type.Object({
  comment: SENDERS,
  mention: SENDERS,
  message: SENDERS,
  like: SENDERS,
  reshare: SENDERS,
  follower: SENDERS,
  follow_request: SENDERS,
  event: SENDERS,
  poll: SENDERS,
  edit: SENDERS,
  dropped: Type.Optional(
    Type.Array(Type.String({ enum: [...UNWANTED_PEOPLE] }), {
      description: "People whose acts of no kind notify the user",
    }),
  ),
});

/** The choices of the user of what it is notified of. */
export function notificationChoicesRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { choices } = context.notifications;
  app.get(
    NOTIFICATION_CHOICES,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      const chosen = await choices.get(session.user.userId);
      return sendChoices(reply, session, chosen, false);
    },
  );
  app.post(
    NOTIFICATION_CHOICES,
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session)
        return askToSignIn(context, request, reply, {
          to: NOTIFICATION_CHOICES,
        });
      checkCsrf(session, request.parameters);
      const changes = changesOf(readInput(CHANGES, request.parameters));
      const chosen = await choices.change(session.user.userId, changes);
      return sendChoices(reply, session, chosen, true);
    },
  );
}

/** A form sends each list that it shows, and of the boxes those that are checked. */
function changesOf(input: Static<typeof CHANGES>) {
  const senders: Partial<NotificationChoices["senders"]> = Object.fromEntries(
    NOTIFICATION_KINDS.flatMap((kind) => {
      const chosen = input[kind];
      return chosen === undefined ? [] : [[kind, chosen] as const];
    }),
  );
  const { dropped = [] } = input;
  return {
    senders,
    dropped: Object.fromEntries(
      UNWANTED_PEOPLE.map((people) => [people, dropped.includes(people)]),
    ),
  };
}

function sendChoices(
  reply: FastifyReply,
  session: Session,
  choices: NotificationChoices,
  isSaved: boolean,
): FastifyReply {
  return sendPage(reply, {
    head: { title: texts.title, noindex: true },
    session,
    main: notificationChoicesView(session, choices, isSaved),
  });
}
