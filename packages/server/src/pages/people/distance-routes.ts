import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Page } from "../../features/page.ts";
import type { Person } from "../../features/people/index.ts";
import { actForm, hiddenField } from "../kit/form-fields.ts";
import { html } from "../kit/html.ts";
import { nameView } from "../kit/person-view.ts";
import { paginationView } from "../kit/list-view.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { contactTexts as texts } from "../languages/texts.ts";
import { BLOCKS, IGNORES, peopleView } from "./people-view.ts";

const LIST = { path: "", size: 50, order: "newest first" } as const;

/** A list of the people from whom the user keeps a distance. */
type DistanceList = {
  readonly words: () => {
    readonly title: string;
    readonly nobody: string;
    readonly undo: string;
  };
  /** The act that lets somebody back in. */
  readonly undo: "unblock" | "unignore";
  readonly list: (session: Session, page: Page) => Promise<Person[]>;
};

/** The people whom the user blocks, and those whom the user ignores. */
export function distanceRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { blocks } = context;
  const lists: readonly (readonly [string, DistanceList])[] = [
    [
      BLOCKS,
      {
        words: () => ({
          ...{ title: texts.blocks, nobody: texts.noBlocks },
          undo: texts.unblock,
        }),
        undo: "unblock",
        list: async ({ user }, page) =>
          (await blocks.list(user.personId, page)).map(({ person }) => person),
      },
    ],
    [
      IGNORES,
      {
        words: () => ({
          ...{ title: texts.ignores, nobody: texts.noIgnores },
          undo: texts.unignore,
        }),
        undo: "unignore",
        list: async ({ user }, page) =>
          (await blocks.listIgnored(user.personId, page)).map(
            ({ person }) => person,
          ),
      },
    ],
  ];
  for (const [path, list] of lists)
    app.get(
      path,
      { config: { access: "session", limit: "read" } },
      async (request, reply) => {
        const session = await findVisitor(context, request);
        if (!session) return redirectTo(reply, signInPath(request.url));
        return sendList(request, reply, session, path, list);
      },
    );
}

async function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  path: string,
  { words, undo, list }: DistanceList,
): Promise<FastifyReply> {
  const { title, nobody, undo: button } = words();
  const form = (person: Person) =>
    actForm(
      session,
      `/people/${encodeURIComponent(person.guid)}/${undo}`,
      hiddenField("to", path),
      html`${button} <span class="unseen">${nameView(person)}</span>`,
    );
  const part = await readKeyedPart(request, LIST, (page) =>
    list(session, page),
  );
  return sendPage(reply, {
    head: { title, noindex: true },
    session,
    main: html`<h1>${title}</h1>
      ${peopleView(part.items, nobody, form)}
      ${paginationView(part, { previous: texts.earlier, next: texts.later })}`,
  });
}
