import { BadVectorFile } from "./diaspora-vectors/file.ts";
import { readVectorFile } from "./diaspora-vectors/read.ts";

const HELP = `npm run vectors:diaspora -- <vectors.json>

Runs a file of diaspora* vectors, in the form of test/vectors/diaspora.

Each vector of the kind "receive" is sent over HTTP to a whole Kith, whose
database is in the state of known_entities and to which nothing can be fetched
but what WebFinger and hCard say of those who are discoverable. It is judged by
what is stored and sent afterwards:

  accept   It was not refused, what the message says is read as expected and
           stored with the properties that Kith keeps, and must_relay is sent on
           by the author of the root with the author's signature.
           A message is sent when its author has begun its conversation with
           the recipient. What Kith understands and does not keep (such as
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
  const file = readVectorFile(name);
  // Loading the whole server takes time; report a bad file before that.
  const { runVectors } = await import("./diaspora-vectors/run.ts");
  process.exitCode = await runVectors(file);
} catch (error) {
  if (!(error instanceof BadVectorFile)) throw error;
  console.error(`${name} cannot be run: ${error.message}.`);
  process.exitCode = 2;
}
