import { DatabaseSync } from "node:sqlite";
import { APPLICATION_ID } from "./database-copy.ts";
import { describeSqlite } from "./sample-rows.ts";

// A program of its own: SQLite copies without yielding, and a server must answer
// meanwhile. Arguments: the database, and the file to make. Prints a DatabaseCopy.

const [source = "", target = ""] = process.argv.slice(2);

const from = new DatabaseSync(source, { timeout: 60_000 });
// One transaction, and so one moment, however much is written beside it. Free
// pages, and what deleted rows have left in them, are not copied.
from.prepare("vacuum into ?").run(target);
from.close();

const to = new DatabaseSync(target);
// The mark of a main file with a log may have been copied with the rest.
to.exec(`pragma user_version = 0; pragma application_id = ${APPLICATION_ID}`);
const copy = describeSqlite(to);
to.close();
process.stdout.write(JSON.stringify(copy));
