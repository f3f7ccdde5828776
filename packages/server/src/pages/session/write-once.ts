import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Submissions, Submit } from "../../features/submissions/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { Type } from "../../lib/json-schema.ts";
import { hiddenField } from "../kit/form-fields.ts";
import type { Html } from "../kit/html.ts";

const ONCE = Type.Object({
  once: text("Tells a form that is sent again from a new one"),
});

/** Fields that differ when the same is sent again. */
const VOLATILE: ReadonlySet<string> = new Set(["csrf_token", "to"]);

/** Each form that is shown has another one. */
export function onceField(): Html {
  return hiddenField("once", randomBytes(12).toString("base64url"));
}

/**
 * Writes what a form says, once: sent again as it was, because its answer was lost or by a
 * second click, it leads to what it made the first time. With another text it is a new one.
 * @param write notes in its own transaction what it returns, where it can: a name of what it made
 */
export async function writeOnce(
  { submissions }: { readonly submissions: Pick<Submissions, "once"> },
  request: Pick<FastifyRequest, "parameters" | "routeOptions" | "url">,
  { user }: Session,
  write: Submit,
): Promise<string> {
  const { once = "" } = readInput(ONCE, request.parameters);
  const fields = Object.entries(request.parameters)
    .filter(([name]) => !VOLATILE.has(name))
    .map(([name, value]) => [name, wordsOf(value)])
    .sort(([a], [b]) => String(a).localeCompare(String(b)));
  const key = JSON.stringify(["form", request.url, fields]);
  return submissions.once(user.userId, once === "" ? undefined : key, write);
}

/** A file is told by the other fields. */
function wordsOf(value: unknown): readonly string[] {
  return [value].flat().filter((it) => typeof it === "string");
}
