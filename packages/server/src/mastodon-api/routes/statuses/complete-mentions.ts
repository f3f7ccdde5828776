import type { People } from "../../../features/people/index.ts";

/** A name without a server, as people write it of somebody on their own. */
const BARE =
  /(?<![\p{L}\p{N}_@/.-])@([a-z0-9_]{1,30})(?![\p{L}\p{N}_@-]|\.[\p{L}\p{N}])/giu;

type Deps = {
  readonly people: Pick<People, "listByHandle">;
  /** `host[:port]` of local handles. */
  readonly host: string;
};

/**
 * Completes mentions of people of this server, which programs write without it: texts here
 * mention people by their whole handles. Names that nobody has stay as they are.
 */
export async function completeMentions(
  { people, host }: Deps,
  text: string,
): Promise<string> {
  const handleOf = (name: string) => `${name.toLowerCase()}@${host}`;
  const names = [...text.matchAll(BARE)].map(([, name = ""]) => name);
  if (names.length === 0) return text;
  const handles = new Set(names.map(handleOf));
  const found = await people.listByHandle(handles);
  const known = new Set(
    [...found.values()]
      .filter(({ state }) => state === "active")
      .map(({ handle }) => handle),
  );
  return text.replaceAll(BARE, (written, name: string) =>
    known.has(handleOf(name)) ? `@${handleOf(name)}` : written,
  );
}
