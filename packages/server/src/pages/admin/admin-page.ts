import type { FastifyReply, FastifyRequest } from "fastify";
import type { Role, Session, SignedIn } from "../../features/accounts/index.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import type { Html } from "../kit/html.ts";
import type { PagesContext } from "../session/visitor.ts";
import type { FormDraft } from "../session/return-target.ts";
import type { NoticeName } from "../languages/en/server/admin.ts";

/** A page of the administration, registered by its line in admin-routes.ts. */
export type AdminPage = {
  /** `/admin`, or a path below it. */
  readonly path: string;
  /** The navigation entry, the heading and the title. */
  readonly title: string;
  /** The required role; for others the page does not exist. */
  readonly access: Exclude<Role, "user">;
  /** The number of open tasks on the page. */
  readonly count?: (context: PagesContext) => Promise<number>;
  /** Renders the content below the heading. */
  readonly show: (visit: AdminVisit) => Promise<Html>;
  /**
   * The handlers of its forms, each at the page's path and its name:
   * `/admin/hosts/block`.
   */
  readonly acts?: Readonly<Record<string, AdminAct>>;
  /** Form fields that are kept when an act is refused: nothing secret. */
  readonly keeps?: readonly string[];
  /** The kept fields that select what the page shows, as in its URL. */
  readonly shows?: readonly string[];
  /** Of a form, where a short text is not enough. */
  readonly bodyLimit?: number;
  /** The fields of its forms that take a file, by the name of the act. */
  readonly files?: Readonly<Record<string, string>>;
  /** The role that its forms require, if it is not that of the page. */
  readonly actsFor?: Exclude<Role, "user">;
};

export type AdminAct = (visit: AdminVisit) => Promise<Outcome>;

/** An authorized request. */
export type AdminVisit = {
  readonly context: PagesContext;
  readonly session: Session;
  /** The user of the session, who performs the act. */
  readonly by: SignedIn;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The query of the page, or the fields of the form. */
  readonly parameters: Parameters;
  /** The input of a refused form. */
  readonly typed: (act: string) => FormDraft;
  /** The pages that this visitor may see. */
  readonly pages: readonly AdminPage[];
  /** May the visitor use the forms of the page? */
  readonly mayAct: boolean;
};

/** The result of a form. Other errors are thrown and answered as usual. */
export type Outcome =
  /**
   * Done: the browser is redirected to the page (or to `to`), which shows the
   * notice.
   */
  | { readonly done: NoticeName; readonly to?: string }
  /** Refused, without any change: the page is shown again with this fault. */
  | { readonly fault: string }
  /** Done, with a result that is shown only once. */
  | { readonly shown: Html };
