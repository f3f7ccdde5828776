import type { AspectId } from "../../features/ids.ts";
import type { PublicEvent } from "../../features/changes/index.ts";
import { parseTag } from "../../lib/markdown/tags.ts";

/** A stream that a program subscribes to. */
export type StreamName = {
  /** As events name it, such as `["list", "12"]`. */
  readonly label: readonly string[];
  readonly kind: "user" | "user:notification" | "direct" | "list" | "public";
  /** Of a list. */
  readonly aspectId?: AspectId;
  /** Which public posts. */
  readonly only?: PublicChoice;
};

type PublicChoice = {
  readonly from?: "here" | "elsewhere";
  readonly withPhotos?: true;
  /** As returned by `foldTag`. */
  readonly tag?: string;
};

/** Some names need an argument. */
export type StreamArguments = {
  readonly list?: number | undefined;
  readonly tag?: string | undefined;
};

const PUBLIC: Readonly<Record<string, PublicChoice>> = {
  public: {},
  "public:local": { from: "here" },
  "public:remote": { from: "elsewhere" },
  "public:media": { withPhotos: true },
  "public:local:media": { from: "here", withPhotos: true },
  "public:remote:media": { from: "elsewhere", withPhotos: true },
};

const TAGGED: Readonly<Record<string, PublicChoice>> = {
  hashtag: {},
  "hashtag:local": { from: "here" },
};

/**
 * Reads the name of a stream.
 * @returns undefined for one that is not served, or that needs an argument
 */
export function readStreamName(
  name: string,
  given: StreamArguments,
): StreamName | undefined {
  switch (name) {
    case "user":
    case "user:notification":
    case "direct":
      return { kind: name, label: [name] };
    case "list": {
      const { list } = given;
      if (list === undefined) return undefined;
      const aspectId = list as AspectId;
      return { kind: name, label: [name, String(list)], aspectId };
    }
    // So Ice Cubes calls it.
    case "local":
      return readStreamName("public:local", given);
    default:
      return readPublicName(name, given.tag);
  }
}

function readPublicName(
  name: string,
  given: string | undefined,
): StreamName | undefined {
  if (Object.hasOwn(PUBLIC, name))
    return { kind: "public", label: [name], only: PUBLIC[name] ?? {} };
  if (!Object.hasOwn(TAGGED, name) || given === undefined) return undefined;
  const tag = parseTag(given);
  if (tag === undefined) return undefined;
  const only = { ...TAGGED[name], tag };
  return { kind: "public", label: [name, tag], only };
}

/** Is a public post in this stream? */
export function hasPublic({ only }: StreamName, event: PublicEvent): boolean {
  if (!only) return false;
  const { from, withPhotos, tag } = only;
  return (
    (from === undefined || (from === "here") === event.isLocal) &&
    (withPhotos === undefined || event.hasPhotos) &&
    (tag === undefined || event.tags.has(tag))
  );
}
