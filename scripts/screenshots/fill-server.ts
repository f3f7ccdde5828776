import sharp from "sharp";
import type { PagesServer } from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

/** A server with a little life, and the pages to photograph. */
export type FilledServer = {
  /** Pages that only it has. */
  readonly paths: readonly string[];
  readonly profile: string;
  readonly post: string;
  readonly event: string;
  readonly conversation: string;
};

/** Fills a server with people, posts, an event and a conversation. */
export async function fillServer(kith: PagesServer): Promise<FilledServer> {
  const [ann, ben, cleo] = [
    await newUser(kith.baseUrl, "ann"),
    await newUser(kith.baseUrl, "ben"),
    await newUser(kith.baseUrl, "cleo"),
  ];
  // She sees the pages of the administration, too.
  await kith.administration.setRole(null, { username: "ann" }, "admin");
  await introduce(kith, ann, ["Ann", "Baker", "#b5544d"]);
  await introduce(kith, ben, ["Ben", "Okafor", "#3c6e8f"]);
  await introduce(kith, cleo, ["Cleo", "Marin", "#6b8e4e"]);
  await gather(kith, ann, [ben, cleo]);
  await write(ben, {
    ...{ text: "Which book next? #bookclub", audience: "everyone" },
    ...{ question: "Which book?", answers: "Middlemarch\nThe Years" },
  });
  await writeWithPictures(kith, cleo, "First harvest of the year. #garden");
  await write(ann, {
    text: "The cherries are ripe. **Who comes to pick on Saturday?** #garden",
    audience: "everyone",
  });
  await write(ann, { text: "A note to myself.", audience: "self" });
  const cherries = await findPost(kith, "ann", 1);
  await write(ben, { text: "I do, with two baskets." }, `${cherries}/comments`);
  await write(
    cleo,
    { text: "Me too! Shall I bring the ladder?" },
    `${cherries}/comments`,
  );
  await write(ben, { to: "/home" }, `${cherries}/like`);
  await write(ben, { to: "/home" }, `${cherries}/reshare`);
  const event = await plan(kith, ben);
  await write(ann, { status: "accepted" }, `${event}/answer`);
  const sent = await write(
    ben,
    {
      ...{ to: `ann@${kith.host}`, subject: "Saturday" },
      text: "Shall we meet at the gate at nine?",
    },
    "/messages",
  );
  const conversation = sent.headers.get("location") ?? "/messages";
  const poll = await findPost(kith, "ben", 1);
  return {
    paths: ["/u/cleo", poll, cherries, event, conversation],
    ...{ profile: "/u/cleo", post: cherries, event, conversation },
  };
}

function write(by: User, fields: Record<string, string>, path = "/home") {
  return by.post(path, { csrf_token: by.csrf_token, ...fields });
}

/** @param at 0 for the newest public post */
async function findPost(
  kith: PagesServer,
  username: string,
  at: number,
): Promise<string> {
  const page = await visitor(kith.baseUrl).get(`/u/${username}`);
  const posts = [...new Set(page.text.match(/\/posts\/[0-9a-f]{32}/g))];
  return posts[at] ?? posts[0] ?? "/home";
}

async function personOf(kith: PagesServer, { username }: User) {
  const person = await kith.people.find({ handle: `${username}@${kith.host}` });
  if (!person?.userId) throw new Error("The user is missing");
  return { ...person, userId: person.userId };
}

/** Gives a user a name and a picture of its own. */
async function introduce(
  kith: PagesServer,
  user: User,
  [firstName, lastName, colour]: readonly [string, string, string],
): Promise<void> {
  const { id } = await personOf(kith, user);
  const picture = await sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><rect width="300" height="300" fill="${colour}"/><circle cx="150" cy="118" r="52" fill="#fff9"/><circle cx="150" cy="300" r="108" fill="#fff9"/></svg>`,
    ),
  )
    .png()
    .toBuffer();
  const changes = { firstName, lastName, fullName: `${firstName} ${lastName}` };
  await kith.photos.changeProfile(id, changes, { avatar: picture });
}

/** Ann keeps the others in aspects, and they follow her. */
async function gather(
  kith: PagesServer,
  ann: User,
  others: readonly User[],
): Promise<void> {
  const { guid } = await personOf(kith, ann);
  await write(ann, { name: "Family" }, "/aspects");
  await write(ann, { name: "Book club" }, "/aspects");
  const { userId } = await personOf(kith, ann);
  const aspects = await kith.aspects.list(userId);
  for (const [at, other] of others.entries()) {
    const person = await personOf(kith, other);
    const aspect = String(aspects[at % aspects.length]?.id);
    await write(
      ann,
      { shown: aspect, aspect },
      `/people/${person.guid}/aspects`,
    );
    await write(other, {}, `/people/${guid}/follow`);
  }
}

async function writeWithPictures(
  kith: PagesServer,
  by: User,
  text: string,
): Promise<void> {
  const form = new FormData();
  const fields = {
    ...{ csrf_token: by.csrf_token, text, audience: "everyone" },
    photo_text: "A basket of strawberries\nRows of lettuce",
  };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [ground, spot] of [
    ["#4c7a3f", "#c8453b"],
    ["#7a5c3f", "#8fbf6a"],
  ]) {
    const spots = Array.from({ length: 60 }, (_, n) => {
      const [x, y] = [(n * 97) % 800, (n * 61) % 600];
      return `<circle cx="${x}" cy="${y}" r="${24 + (n % 5) * 8}" fill="${spot}"/>`;
    });
    const picture = await sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="${ground}"/>${spots.join("")}</svg>`,
      ),
    )
      .png()
      .toBuffer();
    form.append("photo", new Blob([Uint8Array.from(picture)]), "a.png");
  }
  const headers = { cookie: by.cookies(), accept: "text/html" };
  const init = { method: "POST", body: form, headers } as const;
  const answer = await fetch(`${kith.baseUrl}/home`, init);
  if (!answer.ok) throw new Error(`The pictures: ${answer.status}`);
}

/** A public event and a limited one. @returns the path of the first */
async function plan(kith: PagesServer, user: User): Promise<string> {
  const { id, userId } = await personOf(kith, user);
  const owner = { personId: id, userId };
  const { guid } = await kith.events.create({
    ...{ owner, announce: true, timeZone: "Europe/Berlin" },
    ...{ summary: "Repair café", description: "Bring *broken* things." },
    ...{ start: "2127-06-12T14:00", end: "2127-06-12T18:00" },
    location: "Old Mill, 12 Water Lane",
  });
  await kith.events.create({
    ...{ owner, announce: false, allDay: true },
    ...{ summary: "Holidays", start: "2127-07-01", lastDay: "2127-07-14" },
  });
  return `/events/${guid}`;
}
