import type {
  ForeignDatabase,
  ForeignRow,
} from "../../../db/foreign/foreign-database.ts";
import { KithError } from "../../../lib/errors.ts";
import { isGuid } from "../../../lib/guids.ts";
import { MAX_TEXT_LENGTH, type PostToTakeOver } from "../../posts/index.ts";
import type { RecordFate } from "../import-outcomes.ts";
import type {
  Arrived,
  ServerImportRun,
  ServerImportsDeps,
} from "../server-import.ts";
import type { Hindrance } from "../record-kinds.ts";
import { readersOf, isForAll } from "./audience-of-post.ts";
import { numberIn, isTrueIn, readAll, textIn, timeIn } from "./ganggo-rows.ts";
import { personOf } from "./take-people.ts";

const HERE = "(select person_id from users)";
const ON_IT = "x.shareable_id = p.id and x.shareable_type = 'Post'";

/** The posts of the accounts, and those of others in which they took part or that they got. */
const POSTS = `p.*, people.author from posts p join people on people.id = p.person_id
  where p.id > ?1 and (p.person_id in ${HERE}
    or exists (select 1 from comments x where ${ON_IT} and x.person_id in ${HERE})
    or exists (select 1 from likes x where ${ON_IT} and x.person_id in ${HERE})
    or exists (select 1 from posts x where x.root_guid = p.guid and x.person_id in ${HERE})
    or (not p.public and exists (select 1 from shareables x where ${ON_IT})))`;

/** Takes over posts and reshares with their dates and audiences. */
export async function takePosts(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
): Promise<void> {
  for await (const row of readAll(database, POSTS, "p.id")) {
    const isReshare = textIn(row, "type") === "Reshare";
    const name = `${textIn(row, "guid")} by ${textIn(row, "author")}`;
    const fate = await refusedAs(() => takePost(deps, run, database, row));
    run.outcomes.note(isReshare ? "reshare" : "post", fate, name);
    run.tick();
  }
}

/** A record that is refused does not end the import. */
export async function refusedAs(
  take: () => Promise<RecordFate>,
): Promise<RecordFate> {
  try {
    return await take();
  } catch (error) {
    if (!(error instanceof KithError) || error.code === "unavailable")
      throw error;
    return error.code === "empty_string" ? "empty" : "refused";
  }
}

async function takePost(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
  row: ForeignRow,
): Promise<RecordFate> {
  const guid = textIn(row, "guid");
  const person = numberIn(row, "person_id");
  const author = await personOf(deps, run, database, person);
  if (typeof author === "string") return author;
  const fault = findPostFault(row, author);
  if (fault) return fault;
  const known = await deps.posts.find({ guid });
  if (known) {
    if (known.personId !== author.id) return "taken";
    run.posts.set(numberIn(row, "id"), known.id);
    return "known";
  }
  const content =
    textIn(row, "type") === "Reshare"
      ? await findRoot(deps, run, database, row, author)
      : await findContent(deps, run, database, row, author);
  if (typeof content === "string") return content;
  if (run.isRehearsal || author.id === null) {
    run.posts.set(numberIn(row, "id"), null);
    return "added";
  }
  const createdAt = timeIn(row, "created_at") ?? "";
  const taken = await deps.posts.takeOver({
    ...{ guid, personId: author.id, isLocal: author.isLocal, createdAt },
    updatedAt: createdAt,
    providerName: textIn(row, "provider_name"),
    ...content,
  });
  if (taken.kind === "added") run.posts.set(numberIn(row, "id"), taken.post.id);
  return taken.kind;
}

function findPostFault(
  row: ForeignRow,
  { isLocal }: Arrived,
): Hindrance | undefined {
  if (!isGuid(textIn(row, "guid"))) return "malformed";
  if (timeIn(row, "created_at") === undefined) return "no_date";
  const type = textIn(row, "type");
  // GangGo stores reshares of others as if by the author of the root.
  if (type === "Reshare") return isLocal ? undefined : "author";
  const text = textIn(row, "text");
  if (text.trim() === "") return "empty";
  return [...text].length > MAX_TEXT_LENGTH ? "too_long" : undefined;
}

type Content = Pick<
  PostToTakeOver,
  | "aspects"
  | "limitedTo"
  | "photoIds"
  | "photos"
  | "public"
  | "recipients"
  | "rootGuid"
  | "rootPersonId"
  | "text"
  | "type"
>;

const OF_EVERYONE = {
  ...{ public: true, limitedTo: null, aspects: [], recipients: [] },
  ...{ photoIds: [], photos: [] },
} as const;

/** A reshare of a public post that is here. */
async function findRoot(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
  row: ForeignRow,
  author: Arrived,
): Promise<Content | RecordFate> {
  const guid = textIn(row, "root_guid");
  const reshare = { ...OF_EVERYONE, type: "reshare", text: "" } as const;
  const root = await deps.posts.find({ guid });
  if (!root) {
    if (!run.isRehearsal) return "target";
    const [there] = await database.read(
      "select * from posts where guid = ?1 limit 1",
      [guid],
    );
    const isPlanned = there && run.posts.has(numberIn(there, "id"));
    return isPlanned && isForAll(there)
      ? { ...reshare, rootGuid: guid, rootPersonId: null }
      : "target";
  }
  if (!root.public || root.type !== "post") return "target";
  if (author.id !== null && (await deps.posts.findReshareOf(guid, author.id)))
    return "known";
  return { ...reshare, rootGuid: guid, rootPersonId: root.personId };
}

async function findContent(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
  row: ForeignRow,
  author: Arrived,
): Promise<Content | Hindrance> {
  const audience = await readersOf(deps, run, database, row, author);
  if (audience === undefined) return "audience";
  const { isNarrowed, ...whom } = audience;
  const name = textIn(row, "guid");
  if (isNarrowed) run.outcomes.note("narrowed", "added", name);
  const photos = await listPhotos(database, row);
  // GangGo keeps no files: the pictures of others are on their servers.
  if (author.isLocal)
    for (const { url } of photos) run.outcomes.note("picture", "file", url);
  else for (const { url } of photos) run.outcomes.note("picture", "added", url);
  return {
    ...{ ...OF_EVERYONE, ...whom, type: "post", text: textIn(row, "text") },
    ...{ rootGuid: null, rootPersonId: null },
    photos: author.isLocal ? [] : photos,
  };
}

async function listPhotos(database: ForeignDatabase, post: ForeignRow) {
  const rows = await database.read(
    "select * from photos where post_id = ?1 order by id limit 100",
    [numberIn(post, "id")],
  );
  return rows
    .filter((row) => isForAll(post) === isTrueIn(row, "public"))
    .map((row) => ({
      ...{ url: textIn(row, "remote_path"), text: textIn(row, "text") },
      ...(isGuid(textIn(row, "guid")) && { guid: textIn(row, "guid") }),
      ...sizeOf(row),
    }));
}

function sizeOf(row: ForeignRow) {
  const [width, height] = [numberIn(row, "width"), numberIn(row, "height")];
  return width > 0 && height > 0 ? { width, height } : {};
}
