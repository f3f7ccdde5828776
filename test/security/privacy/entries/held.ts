import {
  audience,
  HTML,
  listed,
  own,
  type Entry,
  type Probe,
} from "../probes.ts";
import type { Subject, Viewer } from "../subjects.ts";

const isHeld = audience("held");
const isOwnHeld = (subject: Subject, viewer: Viewer) =>
  isHeld(subject) && own(subject, viewer);

const HELD = ["post", "heldComment"] as const;

/** A call that decides about a text that waits. */
const decided = (path: string, more: Partial<Probe>): Probe => ({
  ...{ about: HELD, by: "token", is: "one", shows: false },
  paths: ({ heldId = 0 }) => [path.replace(":id", `${heldId}`)],
  ...more,
});

const forModerators = { isForModerators: true } as const;
const list = (by: "session" | "token", path: string, more: Partial<Probe>) =>
  listed(HELD, by, () => [path], more);

/** The routes of texts that wait: for their author, and for moderators. */
const HELD_ENTRIES: Readonly<Record<string, Entry>> = {
  "GET /api/v0/held_texts": [
    list("token", "/api/v0/held_texts?limit=100", { only: isOwnHeld }),
  ],
  "DELETE /api/v0/held_texts/:id": [
    decided("/api/v0/held_texts/:id", { only: isOwnHeld }),
  ],
  "GET /settings/strikes": [
    list("session", "/settings/strikes", { only: isOwnHeld, accept: HTML }),
  ],
  "GET /api/v0/admin/held-texts": [
    list("token", "/api/v0/admin/held-texts?limit=100", forModerators),
  ],
  ...Object.fromEntries(
    ["approve", "refuse"].map((act): [string, Entry] => [
      `POST /api/v0/admin/held-texts/:id/${act}`,
      [decided(`/api/v0/admin/held-texts/:id/${act}`, forModerators)],
    ]),
  ),
  "GET /admin/held": [
    list("session", "/admin/held", { ...forModerators, accept: HTML }),
  ],
};

const NOT_HERE = { only: () => false };
/** The archive of its author has it, too. */
const IN_ARCHIVE = { only: own };
const ARCHIVE = "GET /api/v0/export";

/** Distinct names, by which one sees what a path names. */
const OWN = { id: 111_111, guid: "own".repeat(10) };
const PARENT = { id: 222_222, guid: "parent".repeat(5) };
const SAMPLE: Omit<Subject, "kind"> = {
  ...{ ...OWN, audience: "held", marker: "marker1x", post: PARENT },
};

const asPost = (subject: Subject): Subject => ({
  ...{ ...subject, ...subject.post, kind: "post" },
});

/** A page of search repeats the words. */
const signOf = (paths: readonly string[], { sign }: Probe) =>
  paths.some((path) => path.includes(SAMPLE.marker))
    ? { sign: ({ guid }: Subject) => guid }
    : sign && { sign };

/**
 * A comment that waits is a comment nowhere: what shows its post does not show it, also not to
 * its author, and what is asked for it finds nothing.
 */
function heldCommentIn(route: string, probe: Probe): Probe[] {
  const { sign: _, shows: __, ...rest } = probe;
  const isRead = route.startsWith("GET ");
  const about = ["heldComment"] as const;
  const seen = route === ARCHIVE ? IN_ARCHIVE : NOT_HERE;
  const probes: Probe[] = [];
  if (probe.about.includes("comment")) {
    const paths = probe.paths({ ...SAMPLE, kind: "comment" });
    const isNamed = paths.some(
      (path) => path.includes(OWN.guid) || path.includes(`${OWN.id}`),
    );
    const is = isNamed ? probe.is : "list";
    if (isNamed || isRead)
      probes.push({ ...rest, ...seen, ...signOf(paths, probe), about, is });
  }
  if (probe.about.includes("post") && isRead) {
    const paths = (subject: Subject) => probe.paths(asPost(subject));
    const given = paths({ ...SAMPLE, kind: "heldComment" });
    const { sign } = signOf(given, { ...rest }) ?? {};
    probes.push({
      ...{ ...rest, ...seen, ...(sign && { sign }), about, is: "list", paths },
    });
  }
  return probes;
}

/** Adds the routes of held texts, and asks all that show posts and comments for a held comment. */
export function withHeldTexts(
  entries: Readonly<Record<string, Entry>>,
): Readonly<Record<string, Entry>> {
  const all: Record<string, Entry> = { ...entries };
  for (const [route, entry] of Object.entries(entries))
    if (!("silent" in entry))
      all[route] = [
        ...entry,
        ...entry.flatMap((probe) => heldCommentIn(route, probe)),
      ];
  return { ...all, ...HELD_ENTRIES };
}
