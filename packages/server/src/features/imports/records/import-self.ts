import { readFile } from "node:fs/promises";
import type { DefaultAudience } from "../../audiences/index.ts";
import type { Profile, ProfileChanges } from "../../people/index.ts";
import { UNWANTED_PEOPLE } from "../../notifications/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { isUsable } from "../import-media.ts";
import type { ItemOf } from "../import-item.ts";
import type { ItemProfile, ItemSettings } from "../item-shapes.ts";
import { listOwnAspects } from "../import-relation.ts";
import type { ImportDeps, ImportRun, RecordOutcome } from "../import-run.ts";

const TEXTS = ["bio", "firstName", "gender", "lastName", "location"] as const;
const DETAILS = ["bio", "birthday", "gender", "location"] as const;

/**
 * Fills in what the profile here lacks: what its owner has written here stays. Where both have
 * made a choice of who sees it, the stricter one holds, unless the profile here is blank.
 */
export async function importProfile(
  deps: ImportDeps,
  run: ImportRun,
  { profile: given, name }: ItemOf<"profile">,
): Promise<RecordOutcome> {
  const { people, photos } = deps;
  const { personId } = run.user;
  const person = await people.find({ id: personId });
  if (!person) return "refused";
  const changes = changesOf(person.profile, given);
  const { imageUrl, headerUrl } = person.profile;
  const read = async (present: string, file: string | null | undefined) =>
    present === "" && file != null
      ? await readPicture(deps, run, file, name)
      : undefined;
  const pictures = {
    avatar: await read(imageUrl, given.picture),
    header: await read(headerUrl, given.header),
  };
  const hasPicture = Object.values(pictures).some(Boolean);
  if (!hasPicture && Object.keys(changes).length === 0) return "known";
  if (run.isRehearsal) return "added";
  if (Object.keys(changes).length > 0)
    await people.changeProfile(personId, changes);
  const files = { avatar: given.picture, header: given.header };
  for (const kind of ["avatar", "header"] as const) {
    const bytes = pictures[kind];
    if (!bytes) continue;
    const outcome = (await isPictured(photos, personId, kind, bytes))
      ? "added"
      : "unreadable";
    run.outcomes.note("picture", outcome, files[kind] ?? name);
  }
  return "added";
}

async function readPicture(
  { maxMediaBytes }: ImportDeps,
  { source, outcomes, isRehearsal }: ImportRun,
  picture: string,
  name: string,
): Promise<Uint8Array | undefined> {
  const file = source.fileOf(picture);
  if (file === undefined) outcomes.note("picture", "missing", picture || name);
  else if (!(await isUsable(file, maxMediaBytes)))
    outcomes.note("picture", "unreadable", picture);
  else {
    if (isRehearsal) outcomes.note("picture", "added", picture);
    return readFile(file);
  }
  return undefined;
}

/** @returns false for a picture that cannot be read */
async function isPictured(
  photos: ImportDeps["photos"],
  personId: ImportRun["user"]["personId"],
  kind: "avatar" | "header",
  bytes: Uint8Array,
): Promise<boolean> {
  try {
    await photos.changeProfile(personId, {}, { [kind]: bytes });
    return true;
  } catch (error) {
    if (!(error instanceof KithError) || error.code === "unavailable")
      throw error;
    return false;
  }
}

function changesOf(here: Profile, given: ItemProfile): ProfileChanges {
  const wanted = isBlank(here) ? given : stricter(here, given);
  const texts = TEXTS.filter((name) => here[name] === "" && given[name] !== "");
  const flags = (["indexable", "locked", "nsfw", "searchable"] as const).filter(
    (name) => wanted[name] !== undefined && wanted[name] !== here[name],
  );
  const shownTo = DETAILS.filter(
    (name) =>
      wanted.shownTo !== undefined &&
      wanted.shownTo[name] !== here.shownTo[name],
  );
  return {
    ...Object.fromEntries(texts.map((name) => [name, given[name].trim()])),
    ...(here.birthday === null &&
      given.birthday !== null && { birthday: given.birthday }),
    ...(here.fields.length === 0 &&
      given.fields.length > 0 && { fields: given.fields }),
    ...Object.fromEntries(flags.map((name) => [name, wanted[name]])),
    ...(given.kind === "bot" && here.kind !== "bot" && { kind: "bot" }),
    ...(shownTo.length > 0 && {
      shownTo: Object.fromEntries(
        shownTo.map((name) => [name, wanted.shownTo?.[name]]),
      ),
    }),
  };
}

function isBlank({ birthday, fields, imageUrl, ...profile }: Profile): boolean {
  return (
    TEXTS.every((name) => profile[name] === "") &&
    birthday === null &&
    fields.length === 0 &&
    imageUrl === ""
  );
}

const WIDTHS = ["nobody", "contacts", "everyone"] as const;

/** The choices of both, so that nobody finds more than before. */
function stricter(
  here: Profile,
  given: ItemProfile,
): Pick<
  ItemProfile,
  "indexable" | "locked" | "nsfw" | "searchable" | "shownTo"
> {
  const audienceOf = (name: (typeof DETAILS)[number]) => {
    const theirs = given.shownTo?.[name] ?? here.shownTo[name];
    const isFree =
      name === "birthday" ? here[name] === null : here[name] === "";
    if (isFree) return theirs;
    const mine = here.shownTo[name];
    return WIDTHS.indexOf(theirs) < WIDTHS.indexOf(mine) ? theirs : mine;
  };
  return {
    indexable: here.indexable && given.indexable !== false,
    searchable: here.searchable && given.searchable !== false,
    locked: here.locked || given.locked === true,
    nsfw: here.nsfw || given.nsfw === true,
    shownTo: {
      ...{ bio: audienceOf("bio"), birthday: audienceOf("birthday") },
      ...{ gender: audienceOf("gender"), location: audienceOf("location") },
    },
  };
}

/** The choices of the archive take the place of those here; the usual audience never grows. */
export function importSettings(
  deps: ImportDeps,
  run: ImportRun,
  item: ItemOf<"setting">,
): Promise<RecordOutcome> {
  return "settings" in item
    ? changeSettings(deps, run, item.settings)
    : changeChoices(deps, run, item);
}

async function changeSettings(
  deps: ImportDeps,
  run: ImportRun,
  { audience, ...given }: ItemSettings,
): Promise<RecordOutcome> {
  const { accounts } = deps;
  const { userId } = run.user;
  const before = await accounts.getSettings(userId);
  const wanted = audience && (await narrowed(deps, run, audience));
  const isNarrower =
    wanted !== undefined && widthOf(wanted) < widthOf(before.audience);
  const changes = {
    ...given,
    ...(isNarrower && { audience: wanted }),
  };
  const isKnown = Object.entries(changes).every(
    ([name, value]) =>
      JSON.stringify(value) ===
      JSON.stringify(Object.entries(before).find(([it]) => it === name)?.[1]),
  );
  if (isKnown) return "known";
  if (!run.isRehearsal) await accounts.changeSettings(userId, changes);
  return "added";
}

/** @returns undefined where none of its aspects is here */
async function narrowed(
  { aspects }: ImportDeps,
  run: ImportRun,
  { kind, aspects: names }: NonNullable<ItemSettings["audience"]>,
): Promise<DefaultAudience | undefined> {
  if (kind !== "aspects") return { kind };
  const known = await listOwnAspects(aspects, run);
  const aspectIds = names.flatMap((name) => known.get(name.trim()) ?? []);
  return aspectIds.length > 0 ? { kind, aspectIds } : undefined;
}

const AUDIENCES = [
  ...(["self", "aspects", "all_aspects"] as const),
  ...(["followers", "unlisted", "everyone"] as const),
] as const satisfies readonly DefaultAudience["kind"][];

const widthOf = ({ kind }: DefaultAudience): number => AUDIENCES.indexOf(kind);

async function changeChoices(
  { notifications }: ImportDeps,
  { user, isRehearsal }: ImportRun,
  given: Extract<ItemOf<"setting">, { readonly senders: unknown }>,
): Promise<RecordOutcome> {
  const before = await notifications.choices.get(user.userId);
  const dropped = UNWANTED_PEOPLE.filter((it) => given.dropped.includes(it));
  const senders = { ...before.senders, ...given.senders };
  const isKnown =
    JSON.stringify([senders, dropped]) ===
    JSON.stringify([
      before.senders,
      UNWANTED_PEOPLE.filter((it) => before.dropped.includes(it)),
    ]);
  if (isKnown) return "known";
  if (!isRehearsal)
    await notifications.choices.change(user.userId, {
      senders,
      dropped: Object.fromEntries(
        UNWANTED_PEOPLE.map((it) => [it, dropped.includes(it)]),
      ),
    });
  return "added";
}
