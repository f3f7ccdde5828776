import { generateKeyPairSync } from "node:crypto";
import {
  BadVectorFile,
  readVectorFile,
  type Vector,
  type VectorFile,
  type VectorPerson,
} from "./diaspora-vectors-file.ts";
import { openHome } from "./diaspora-vectors-home.ts";
import { judge, type Court, type Judgement } from "./diaspora-vectors-judge.ts";
import { Tally } from "./diaspora-vectors-tally.ts";
import { storeKnown } from "./diaspora-vectors-known.ts";
import { checkPure } from "./diaspora-vectors-pure.ts";
import { keepState } from "./diaspora-vectors-tables.ts";

const HELP = `npm run vectors:diaspora -- <vectors.json>

Runs a file of diaspora* vectors, in the form of test/vectors/diaspora.

Each vector of the kind "receive" is sent over HTTP to a whole Kith, whose
database is in the state of known_entities and to which nothing can be fetched
but what WebFinger and hCard say of those who are discoverable. It is judged by
what is stored and sent afterwards:

  accept   It was not refused, what the message says is read as expected and
           stored with the properties that Kith keeps, and must_relay is sent on
           by the author of the root with the author's signature.
           What Kith understands and does not keep (conversations, messages,
           retractions of what it does not keep) must have an outcome that
           begins with "ignored", which no refusal has; each is named in a note.
  reject   It was refused, dropped, or given up after its last attempt, and no
           table but the bookkeeping of what comes in has changed.

The other kinds are run against the package @kith/diaspora.

Prints a line for each vector that differs and at last "N passed, M failed".
A vector of severity info that differs is a note where it has a note itself.
Exit code: 0, 1 where one of severity must failed (or a whole run broke),
2 where the file cannot be run.

With KITH_TEST_DATABASE_URL (postgres://..., a superuser's) it runs on a
PostgreSQL database of its own, else on SQLite.`;

const [name, ...rest] = process.argv.slice(2);
if (name === undefined || rest.length > 0 || name.startsWith("-")) {
  console.error(HELP);
  process.exit(name === "--help" || name === "-h" ? 0 : 2);
}
try {
  process.exitCode = await run(readVectorFile(name));
} catch (error) {
  if (!(error instanceof BadVectorFile)) throw error;
  console.error(`${name} cannot be run: ${error.message}.`);
  process.exitCode = 2;
}

async function run(file: VectorFile): Promise<number> {
  const witness = makeWitness(file);
  const hasMessages = file.vectors.some(({ kind }) => kind === "receive");
  const court = hasMessages ? await openCourt(file, witness) : undefined;
  const tally = new Tally(file.vectors.length);
  try {
    for (const vector of file.vectors)
      tally.add(vector, await attempt(file, court, vector));
  } finally {
    await court?.home.close();
  }
  return tally.finish();
}

async function openCourt(
  file: VectorFile,
  witness: VectorPerson,
): Promise<Court> {
  const url = process.env["KITH_TEST_DATABASE_URL"] ?? "";
  const home = await openHome(file, witness, url === "" ? "sqlite" : "postgres");
  try {
    await storeKnown(home, file, witness);
    return { file, home, witness, state: await keepState(home.db) };
  } catch (error) {
    await home.close();
    throw error;
  }
}

/** What a vector's check says differs, or that it broke. */
async function attempt(
  file: VectorFile,
  court: Court | undefined,
  vector: Vector,
): Promise<Judgement> {
  try {
    if (vector.kind !== "receive")
      return { difference: await checkPure(file, vector) };
    if (!court) throw new Error("no server was started");
    return await judge(court, vector);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { difference: `broke: ${message}` };
  }
}

/** Somebody who reads everything that the local people write, and to whom it is therefore relayed. */
function makeWitness({ people }: VectorFile): VectorPerson {
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const der = keys.privateKey.export({ type: "pkcs8", format: "der" });
  const taken = new Set(people.flatMap(({ handle, guid }) => [handle, guid]));
  let number = 0;
  const free = (make: () => string): string => {
    while (taken.has(make())) number += 1;
    return make();
  };
  return {
    name: "",
    handle: free(() => `witness@witness${number}.example`),
    guid: free(() => `witness-of-the-vectors-${number}`),
    local: false,
    discoverable: true,
    private_key_pkcs8: der.toString("base64"),
    public_key_pem: String(
      keys.publicKey.export({ type: "spki", format: "pem" }),
    ),
  };
}
