import type { FastifyInstance } from "fastify";
import {
  LIST_KINDS,
  type ArchiveReport,
  type HeldImport,
  type HeldImports,
} from "../../../features/imports/index.ts";
import { file, text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import {
  apiRoute,
  getCaller,
  NO_INPUT,
  type ApiRoute,
  type Authenticate,
} from "../../kit/route.ts";
import { readStreamed } from "../../kit/streamed-form.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type ImportsRoutesDeps = { readonly heldImports: HeldImports };

const KIND = Type.Optional(
  Type.String({
    enum: [...LIST_KINDS],
    description: "What a list holds, if the name of its file does not say it",
  }),
);

/** The route whose body is read as it comes, described for the document. */
export const UPLOAD_ROUTE = {
  method: "POST",
  limit: "costly",
  scope: "undelegated",
  name: "uploadImport",
  path: "/imports",
  summary: "Uploads an archive or a list of another server, to import it.",
  description:
    "It is rehearsed first: nothing changes until you start it. You have one import at a time; its file is deleted at its end, when you delete it, and after a week. The token comes in a header, or in the query.",
  input: Type.Object({
    file: file(
      "An archive (zip or tar.gz), a JSON file, or a list (CSV), as large as the server allows",
    ),
    kind: KIND,
  }),
  needs: ["file"],
  output: one("Import"),
  errors: [409, 413, 503],
} as const;

/** Serves the upload, which is never in memory as a whole. */
export function registerImportUpload(
  app: FastifyInstance,
  prefix: string,
  authenticate: Authenticate,
  { heldImports }: ImportsRoutesDeps,
): void {
  app.route({
    method: UPLOAD_ROUTE.method,
    url: prefix + UPLOAD_ROUTE.path,
    config: { access: "token", limit: UPLOAD_ROUTE.limit, body: "stream" },
    handler: async (request, reply) => {
      const { user } = await getCaller(request, authenticate, UPLOAD_ROUTE);
      const route = { ...UPLOAD_ROUTE, file: "file", others: CHOSEN } as const;
      const held = await heldImports.receive(user.userId, async (take) => {
        const { kind } = await readStreamed(route, request, take);
        return LIST_KINDS.find((it) => it === kind);
      });
      return reply
        .type("application/json; charset=utf-8")
        .send(JSON.stringify(presentImport(held)));
    },
  });
}

const START = Type.Object({
  password: text("Your password here, to move the account of the archive here"),
});

const CHOSEN = Type.Object({ kind: KIND });

/** The imports of the caller alone. */
export function importsRoutes({ heldImports }: ImportsRoutesDeps): ApiRoute[] {
  const own = { scope: "undelegated", input: NO_INPUT } as const;
  const ofOne = { ...own, output: one("Import") } as const;
  return [
    apiRoute({
      ...own,
      method: "GET",
      limit: "read",
      name: "listImports",
      path: "/imports",
      summary: "Lists your imports of the last week, newest first.",
      output: listOf("Import"),
      handle: async ({ user, page }) =>
        (await heldImports.list(user.userId, page)).map(presentImport),
    }),
    apiRoute({
      ...ofOne,
      method: "GET",
      limit: "read",
      name: "showImport",
      path: "/imports/:id",
      summary: "Shows an import of yours, and how far it has come.",
      handle: async ({ user, path }) => {
        const id = readIdOrNone(path("id"));
        return presentImport(await heldImports.get(user.userId, id));
      },
    }),
    apiRoute({
      ...ofOne,
      method: "POST",
      limit: "costly",
      name: "startImport",
      path: "/imports/:id/start",
      summary: "Starts an import after its rehearsal, or goes on with it.",
      description:
        "It goes on where it was, and adds nothing twice. With your password the account of a diaspora* archive moves here at the end, which cannot be undone; its rehearsal says whether it can.",
      input: START,
      errors: [409],
      handle: async ({ user, from, path, input: { password = "" } }) => {
        const id = readIdOrNone(path("id"));
        const proof = password === "" ? undefined : { password, from };
        return presentImport(await heldImports.start(user, id, proof));
      },
    }),
    apiRoute({
      ...ofOne,
      method: "POST",
      limit: "write",
      name: "stopImport",
      path: "/imports/:id/stop",
      summary: "Stops an import, within a few records.",
      description: "What it has imported stays, and it can be started again.",
      errors: [409],
      handle: async ({ user, path }) => {
        const id = readIdOrNone(path("id"));
        return presentImport(await heldImports.stop(user.userId, id));
      },
    }),
    apiRoute({
      ...own,
      method: "DELETE",
      limit: "write",
      name: "deleteImport",
      path: "/imports/:id",
      summary: "Deletes an import with its file.",
      description: "What it has imported stays.",
      output: EMPTY,
      handle: async ({ user, path }) => {
        await heldImports.remove(user.userId, readIdOrNone(path("id")));
        return {};
      },
    }),
  ];
}

function presentImport(held: HeldImport): WireRecord {
  return {
    ID: held.id,
    UserID: held.userId,
    CreatedAt: held.createdAt,
    FileName: held.fileName,
    Kind: held.listKind,
    Bytes: held.bytes,
    State: held.state,
    Done: held.done,
    Total: held.total,
    Rehearsal: held.rehearsal && presentReport(held.rehearsal),
    Report: held.report && presentReport(held.report),
    Moves: held.moves,
    Failure: held.failure,
    EndedAt: held.endedAt,
  };
}

function presentReport(report: ArchiveReport): WireRecord[] {
  return Object.entries(report).map(([kind, { added, known, leftOut }]) => ({
    Kind: kind,
    Added: added,
    Known: known,
    LeftOut: Object.entries(leftOut).map(([reason, left]) => ({
      Reason: reason,
      Count: left.count,
      Examples: left.examples,
    })),
  }));
}
