import type { FastifyInstance } from "fastify";
import { html } from "../kit/html.ts";
import { sendPage } from "../kit/send-page.ts";
import type { PagesContext } from "../session/visitor.ts";
import { attachedComponents } from "./attached-components.ts";
import { commentComponents } from "./comment-components.ts";
import { fieldComponents } from "./field-components.ts";
import {
  componentView,
  type KitComponent,
  type KitInput,
} from "./kit-component.ts";
import { listComponents } from "./list-components.ts";
import { postComponents } from "./post-components.ts";
import { writingComponents } from "./writing-components.ts";
import { SAMPLE_SESSION } from "./samples/sample-people.ts";

const KIT = "/dev/kit";

/** All components of the pages in all their states, for those who work on them. */
export function kitRoutes(app: FastifyInstance, context: PagesContext): void {
  app.get(
    KIT,
    { config: { access: "anyone", limit: "read" } },
    async (_request, reply) => {
      const acting = { session: SAMPLE_SESSION, to: KIT };
      const now = context.clock.now();
      const components = await allComponents({ context, now, acting });
      return sendPage(reply, {
        head: { title: "Components", noindex: true },
        session: { ...SAMPLE_SESSION, unread: 7 },
        main: html`<h1>Components</h1>
          <nav class="sections" aria-label="Components">
            ${components.map(({ id, name }) => html`<a href="#kit-${id}">${name}</a>`)}
          </nav>
          ${components.map((it) => componentView(it))}`,
        // It would keep what is typed here, and look for parts that are not there.
        script: null,
      });
    },
  );
}

/** In the order in which somebody meets them. */
async function allComponents(input: KitInput): Promise<KitComponent[]> {
  return [
    ...postComponents(input),
    ...attachedComponents(input),
    ...(await commentComponents(input)),
    ...writingComponents(input),
    ...fieldComponents(),
    ...listComponents(),
  ];
}
