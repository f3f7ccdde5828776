import type {
  AudiencePreview,
  Shortfall,
} from "../../features/audiences/index.ts";
import { displayName, type Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { presentPerson, type WireRecord } from "./records.ts";

/** How many people and servers a preview names. */
const MAX_NAMED = 20;
/** How many people of an audience a post names. */
const MAX_NAMES = 100;

type Addressed = Pick<Post, "public" | "listed" | "limitedTo" | "aspects">;

/** @param people of a post to named people */
export function presentAudience(
  { public: isPublic, listed, limitedTo, aspects }: Addressed,
  people: readonly Person[],
): WireRecord {
  const kind = isPublic ? (listed ? "everyone" : "unlisted") : limitedTo;
  const isForAspects = limitedTo === "aspects";
  return {
    Kind: kind ?? "people",
    Names: isForAspects
      ? aspects.map(({ name }) => name)
      : people.slice(0, MAX_NAMES).map(displayName),
    ...(isForAspects && { AspectIDs: aspects.map(({ id }) => id) }),
  };
}

export function presentPreview({
  audience,
  people,
  hosts,
  notKept,
}: AudiencePreview): WireRecord {
  const named = audience.limitedTo === "people" ? people : [];
  return {
    Audience: presentAudience(audience, named),
    Public: audience.public,
    PeopleCount: people.length,
    People: presentSome(people),
    HostsCount: hosts.length,
    Hosts: hosts.slice(0, MAX_NAMED),
    NotKept: notKept.map(presentShortfall),
  };
}

const SENTENCES: Readonly<Record<Shortfall["kind"], string>> = {
  nobody: "Nobody is in this audience.",
  mentions: "These people are mentioned, but not in the audience.",
  unreachable: "This server cannot send to the servers of these people.",
  listed: "These servers show the post in their public lists.",
  edits: "These servers ignore later edits.",
  recordings: "These servers show a link instead of a sound or a video.",
};

function presentShortfall(shortfall: Shortfall): WireRecord {
  const { kind } = shortfall;
  const people = "people" in shortfall ? shortfall.people : [];
  const hosts = "hosts" in shortfall ? shortfall.hosts : [];
  return {
    Kind: kind,
    Text: SENTENCES[kind],
    PeopleCount: people.length,
    People: presentSome(people),
    HostsCount: hosts.length,
    Hosts: hosts.slice(0, MAX_NAMED),
  };
}

const presentSome = (people: readonly Person[]) =>
  people.slice(0, MAX_NAMED).map((person) => presentPerson(person));
