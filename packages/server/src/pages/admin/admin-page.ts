import type { FastifyReply, FastifyRequest } from "fastify";
import type { Role, Session, SignedIn } from "../../features/accounts/index.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import type { Html } from "../kit/html.ts";
import type { PagesContext } from "../session/visitor.ts";
import type { FormDraft } from "../session/way-back.ts";
import type { NoticeName } from "./admin-texts.ts";

/** One page of those who run this server; it is registered by its line in admin-routes.ts. */
export type AdminPage = {
  /** `/admin`, or below it. */
  readonly path: string;
  /** In the navigation, as the heading and in the title. */
  readonly title: string;
  /** Whoever has not this role finds nothing at its address. */
  readonly access: Exclude<Role, "user">;
  /** How much waits there for somebody to look at it. */
  readonly count?: (context: PagesContext) => Promise<number>;
  /** What stands below the heading. */
  readonly show: (visit: AdminVisit) => Promise<Html>;
  /** What its forms do, each at the page's path and its name: `/admin/hosts/block`. */
  readonly acts?: Readonly<Record<string, AdminAct>>;
  /** The fields of its forms that are kept where a form cannot be carried out: nothing secret. */
  readonly keeps?: readonly string[];
  /** Those of them that say what the page shows, as in its address. */
  readonly shows?: readonly string[];
  /** Who may use its forms, where not everybody who sees the page may. */
  readonly actsFor?: Exclude<Role, "user">;
};

export type AdminAct = (visit: AdminVisit) => Promise<Outcome>;

/** Somebody who may be here, and what was asked for. */
export type AdminVisit = {
  readonly context: PagesContext;
  readonly session: Session;
  /** The user of the session: who does what is done. */
  readonly by: SignedIn;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** What the page is asked for, or its form carries. */
  readonly parameters: Parameters;
  /** What was typed into the form of an act that was not carried out. */
  readonly typed: (act: string) => FormDraft;
  /** The pages that this visitor may see. */
  readonly pages: readonly AdminPage[];
  /** May the visitor use the forms of the page? */
  readonly mayAct: boolean;
};

/** What came of a form. Other errors are thrown and answered as everywhere. */
export type Outcome =
  /** It is done: the browser goes to the page (or to `to`) and finds the notice there. */
  | { readonly done: NoticeName; readonly to?: string }
  /** It was refused, and nothing was changed: the page comes again with these words. */
  | { readonly fault: string }
  /** It is done, and shows what is shown once and never again. */
  | { readonly shown: Html };
