import type { Audience } from "../../features/audiences/index.ts";
import type { AspectId, PersonId } from "../../features/ids.ts";
import type { People, Person } from "../../features/people/index.ts";
import { KithError } from "../../lib/errors.ts";
import { formatHandle, parseHandle } from "../../lib/handle.ts";
import { Type } from "../../lib/json-schema.ts";
import { AUDIENCE_WORDS } from "../schemas/audience-words.ts";

type Word = (typeof AUDIENCE_WORDS)[number];

const ASPECT_ID = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
});
const ABOUT_ASPECTS =
  "The aspect that alone gets it, or several; 0 for everyone";
/** An empty list would count as no choice, and the post could be for everyone. */
const SOME = { minItems: 1 };

/** The aspects of an audience that is chosen for later, which may be none. */
export const ASPECT_IDS = Type.Optional(
  Type.Array(ASPECT_ID, { description: ABOUT_ASPECTS }),
);

/** The parameters that choose an audience. */
export const AUDIENCE_INPUT = {
  audience: Type.Optional(
    Type.Unsafe<Word>({
      type: "string",
      enum: [...AUDIENCE_WORDS],
      description:
        "Who gets it. everyone; unlisted: everyone, but not in public lists; followers: everyone who shares with you; all_aspects: everybody in any of your aspects; aspects: those of aspectID; people: those of personID and person, or else those whom the text mentions; self: you alone. Absent: by aspectID or the people given, else your default",
    }),
  ),
  aspectID: Type.Optional(
    Type.Array(ASPECT_ID, { ...SOME, description: ABOUT_ASPECTS }),
  ),
  personID: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      ...SOME,
      description: "The people who alone get it, by their IDs",
    }),
  ),
  person: Type.Optional(
    Type.Array(Type.String(), {
      ...SOME,
      description: "The same by their Guids or handles",
    }),
  ),
};

type AudienceInput = {
  readonly audience?: Word;
  readonly aspectID?: readonly number[];
  readonly personID?: readonly number[];
  readonly person?: readonly string[];
};

type Deps = { readonly people: Pick<People, "find"> };

/**
 * Reads the chosen audience.
 * @returns undefined if none is given
 * @throws {KithError} `bad_request` for a contradiction, `not_found` for an unknown person
 */
export async function readAudience(
  deps: Deps,
  input: AudienceInput,
): Promise<Audience | undefined> {
  const { aspectID = [], personID = [], person = [] } = input;
  const aspectIds = aspectID.filter((id) => id > 0) as AspectId[];
  const names = {
    audience: input.audience,
    aspectIds,
    isForAll: aspectIds.length < aspectID.length,
    person: [
      ...(personID.length > 0 ? ["personID"] : []),
      ...(person.length > 0 ? ["person"] : []),
    ][0],
  };
  const kind = chooseKind(names);
  if (kind === "aspects") return { kind, aspectIds };
  if (kind !== "people") return kind && { kind };
  if (names.person === undefined) return { kind: "mentioned" };
  const personIds = await findPeople(deps, personID, person);
  return { kind, personIds };
}

type Given = {
  readonly audience: Word | undefined;
  readonly aspectIds: readonly AspectId[];
  /** Is the aspect 0 given? */
  readonly isForAll: boolean;
  /** The first parameter that names people. */
  readonly person: string | undefined;
};

function chooseKind({
  audience,
  aspectIds,
  isForAll,
  person,
}: Given): Word | undefined {
  const hasAspects = aspectIds.length > 0;
  if (isForAll && hasAspects)
    throw contradiction("aspectID", "0, for everyone, beside an aspect");
  const kind = audience ?? impliedKind(hasAspects, isForAll, person);
  if (kind === "aspects" && !hasAspects)
    throw missingFor("aspectID", "aspects");
  if (hasAspects && kind !== "aspects")
    throw contradiction("aspectID", `given for the audience ${kind}`);
  if (isForAll && kind !== "everyone")
    throw contradiction("aspectID", `0, for everyone, beside ${kind}`);
  if (person !== undefined && kind !== "people")
    throw contradiction(person, `given for the audience ${kind}`);
  return kind;
}

function impliedKind(
  hasAspects: boolean,
  isForAll: boolean,
  person: string | undefined,
): Word | undefined {
  if (hasAspects) return "aspects";
  if (isForAll) return "everyone";
  return person === undefined ? undefined : "people";
}

/** A kind of audience without the parameter that names its members. */
export function missingFor(parameter: string, kind: string): KithError {
  return new KithError(
    "bad_request",
    `The parameter ${parameter} must be given for the audience ${kind}.`,
  );
}

/** Parameters that do not go together. */
export function contradiction(parameter: string, what: string): KithError {
  return new KithError(
    "bad_request",
    `The parameter ${parameter} must not be ${what}.`,
  );
}

async function findPeople(
  { people }: Deps,
  ids: readonly number[],
  names: readonly string[],
): Promise<PersonId[]> {
  const found: (Person | undefined)[] = [];
  for (const id of ids) found.push(await people.find({ id: id as PersonId }));
  for (const name of names) {
    const handle = parseHandle(name);
    found.push(
      await people.find(
        handle ? { handle: formatHandle(handle) } : { guid: name },
      ),
    );
  }
  return found.map((person) => {
    if (person?.state !== "active")
      throw new KithError("not_found", "No such person.");
    return person.id;
  });
}
