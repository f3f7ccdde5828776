import assert from "node:assert/strict";
import { test } from "node:test";
import type { Person } from "../../../features/people/index.ts";
import { renderProfile } from "./render-person.ts";

type ShownTo = Person["profile"]["shownTo"];

function someone(shownTo: ShownTo, details: object): Person {
  const profile = {
    firstName: "Eve",
    lastName: "",
    imageUrl: "",
    imageUrlMedium: "",
    imageUrlSmall: "",
    bio: "",
    birthday: null,
    gender: "",
    location: "",
    searchable: true,
    nsfw: false,
    updatedAt: "2026-01-01T00:00:00.000Z",
    public: Object.values(shownTo).every((who) => who === "everyone"),
    shownTo,
    ...details,
  };
  return { handle: "eve@kith.example", profile } as unknown as Person;
}

const FIRST: ShownTo = {
  bio: "everyone",
  birthday: "contacts",
  gender: "contacts",
  location: "nobody",
};

const render = (
  shownTo: ShownTo,
  details: object,
  reader: "stranger" | "contact",
) => {
  const person = someone(shownTo, details);
  const entity = renderProfile(person, "https://kith.example", reader);
  const { public: isPublic, bio, gender, location } = entity;
  return { isPublic, bio, gender, location };
};

test("a profile that is public over diaspora* holds nothing that is not for everyone", () => {
  const all = { bio: "Bees", gender: "queer", location: "Utrecht" };
  assert.deepEqual(render(FIRST, all, "contact"), {
    isPublic: false,
    bio: "Bees",
    gender: "queer",
    location: undefined,
  });
  assert.deepEqual(render(FIRST, all, "stranger"), {
    isPublic: true,
    bio: "Bees",
    gender: undefined,
    location: undefined,
  });
  const bioAlone = { bio: "Bees", location: "Utrecht" };
  const open = render(FIRST, bioAlone, "contact");
  assert.equal(
    `${open.isPublic} ${open.bio} ${open.location}`,
    "true Bees undefined",
  );
  assert.equal(render(FIRST, {}, "contact").isPublic, false);
});
