import { spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync, sign, verify } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

const FOR_MS = 1_000;

type Limit = { readonly name: string; readonly value: string };

/** The limits of this machine, so that figures of different days are comparable. */
export function measureMachine(): Limit[] {
  return [...measureNode(), ...measureRsa(), measureCommits()];
}

function measureNode(): Limit[] {
  const times = Array.from({ length: 10 }, () => {
    const startedAt = performance.now();
    spawnSync(process.execPath, ["-e", ""]);
    return performance.now() - startedAt;
  });
  const script = "console.log(process.memoryUsage.rss() / 1024 / 1024)";
  const rss = Number(spawnSync(process.execPath, ["-e", script]).stdout);
  return [
    { name: "bare node -e, median", value: `${median(times).toFixed(0)} ms` },
    { name: "bare node -e, memory", value: `${rss.toFixed(0)} MB` },
  ];
}

function measureRsa(): Limit[] {
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const text = Buffer.alloc(500, "x");
  const signature = sign("sha256", text, keys.privateKey);
  const signed = perSecond(() => sign("sha256", text, keys.privateKey));
  const verified = perSecond(() =>
    verify("sha256", text, keys.publicKey, signature),
  );
  return [
    { name: "RSA-2048 signatures, one thread", value: `${signed}/s` },
    { name: "RSA-2048 verifications, one thread", value: `${verified}/s` },
  ];
}

/** RSA-2048 signatures per second of processor, at this moment. */
export function measureSigning(): number {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const text = Buffer.alloc(300, "x");
  const before = process.cpuUsage();
  let count = 0;
  for (const until = performance.now() + FOR_MS; performance.now() < until;) {
    sign("sha256", text, privateKey);
    count += 1;
  }
  const { user, system } = process.cpuUsage(before);
  return Math.round((count * 1_000_000) / (user + system));
}

/** Bare POSTs per second of one process, over keep-alive connections. */
export async function measurePosts(port: number): Promise<Limit> {
  const child = spawn(process.execPath, ["-e", POSTER, String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of child.stdout) text += String(chunk);
  return { name: "bare HTTP POSTs, one process", value: `${text.trim()}/s` };
}

const POSTER = `
  const { Agent, request } = require("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const body = Buffer.alloc(1500, "x");
  const until = performance.now() + ${FOR_MS};
  let count = 0;
  const post = () => new Promise((resolve, reject) => {
    const headers = { "content-length": body.length };
    const options = { agent, method: "POST", port: process.argv[1], headers };
    const sent = request({ ...options, host: "127.0.0.1" }, (answer) => {
      answer.resume();
      answer.on("end", resolve);
    });
    sent.on("error", reject);
    sent.end(body);
  });
  const repeat = async () => {
    while (performance.now() < until) { await post(); count += 1; }
  };
  Promise.all(Array.from({ length: 64 }, repeat)).then(() => {
    console.log(Math.round(count * 1000 / ${FOR_MS}));
    agent.destroy();
  });
`;

function measureCommits(): Limit {
  const dir = mkdtempSync(path.join(tmpdir(), "kith-bench-"));
  const database = new DatabaseSync(path.join(dir, "commits.sqlite"));
  database.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table numbers (n integer)`);
  const insert = database.prepare("insert into numbers values (1)");
  const value = `${perSecond(() => insert.run())}/s`;
  database.close();
  rmSync(dir, { recursive: true, force: true });
  return { name: "durable SQLite commits, one by one", value };
}

function perSecond(work: () => unknown): number {
  const startedAt = performance.now();
  let count = 0;
  for (; performance.now() - startedAt < FOR_MS; count += 1) work();
  return Math.round((count * 1000) / (performance.now() - startedAt));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = NaN, high = NaN] = sorted.slice(middle - 1, middle + 1);
  return sorted.length % 2 === 0 ? (low + high) / 2 : high;
}
