import type { Unpacked } from "../../../../lib/archives/unpack.ts";
import type { ImportItem } from "../../import-item.ts";
import type { Source } from "../../source-format.ts";
import { readKithDraft } from "./kith-drafts.ts";
import { readKithLists } from "./kith-kept.ts";
import { readPeople } from "./kith-people.ts";
import { readPlans } from "./kith-plans.ts";
import { readOne, recordsOf } from "./kith-records.ts";
import { readChoices, readProfile, readSettings } from "./kith-self.ts";
import { readComment, readPhotos, readKithPost } from "./kith-writings.ts";

/** Kith's own archive (docs/export.md). @returns undefined for another archive */
export function openKithArchive(files: Unpacked): Source | undefined {
  const isOne = ["account.json", "posts.json", "photos.json"].every((name) =>
    files.has(name),
  );
  if (!isOne) return undefined;
  return {
    items: () => readItems(files),
    fileOf: (name) => files.get(name),
  };
}

/** Each thing comes after those that it refers to. */
async function* readItems(
  files: Unpacked,
): AsyncGenerator<ImportItem, void, undefined> {
  const photos = await readPhotos(files);
  const pictures = { picture: photos.profile, header: photos.header };
  yield* readProfile(await readOne(files, "profile"), pictures);
  yield* readPeople(files);
  yield* readSettings(await readOne(files, "account"));
  for await (const choices of recordsOf(files, "notification-choices"))
    yield readChoices(choices);
  for await (const post of recordsOf(files, "posts"))
    yield readKithPost(post, photos.ofWritings);
  for await (const comment of recordsOf(files, "comments"))
    yield readComment(comment, photos.ofWritings);
  yield* readPlans(files);
  yield* readKithLists(files);
  for await (const draft of recordsOf(files, "drafts"))
    yield readKithDraft(draft, photos.waiting);
}
