import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@kith/activitypub";
import type { RemoteActor, RemoteServer } from "./remote-server.ts";

const FOLDER = join(
  import.meta.dirname,
  "../../../../../test/vectors/activitypub",
);

/** The actors of the vectors, as they are named there. */
const ACTORS = {
  carol: "https://mastodon.example/users/carol",
  dave: "https://gts.example/users/dave",
  gil: "https://friendica.example/profile/gil",
  jon: "https://mobilizon.example/@jon",
  gancio: "https://gancio.example/federation/u/gancio",
  kim: "https://wp.example/author/kim/",
} as const;

/**
 * A peer's activity from the shared vectors, moved to a server of the test's.
 * @param by the person in the role of that actor
 * @param values of the placeholders, without their braces
 */
export async function readPeerVector(
  file: string,
  remote: RemoteServer,
  by: readonly [keyof typeof ACTORS, RemoteActor],
  values: Readonly<Record<string, string>> = {},
): Promise<JsonObject> {
  const [name, actor] = by;
  let text = await readFile(join(FOLDER, `${file}.json`), "utf8");
  for (const [placeholder, value] of Object.entries(values))
    text = text.replaceAll(`{{${placeholder}}}`, value);
  text = text.replaceAll(ACTORS[name], actor.id);
  text = text.replaceAll(new URL(ACTORS[name]).origin, remote.origin);
  // Each test has its own copy of the objects named in the vector.
  text = text.replaceAll(
    new RegExp(`${remote.origin}/(?!users/${actor.name}(?:"|/followers))`, "g"),
    `${remote.origin}/${actor.name}/`,
  );
  return JSON.parse(text) as JsonObject;
}
