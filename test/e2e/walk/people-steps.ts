import assert from "node:assert/strict";
import {
  picture,
  pictureForm,
} from "../../../packages/server/test/support/scenes/pictures.ts";
import type { PersonRecord } from "../../../packages/server/test/support/server/wire.ts";
import { eventually } from "../../support/kith-process.ts";
import { Resident } from "../../support/resident.ts";
import { agree, assertHidden, isNotified, vanishes } from "./look.ts";
import { settleAnn, strangers, type Step } from "./town.ts";

async function profileOf(who: Resident, guid: string) {
  const person = await who.api.getRecord(`/people/${guid}`);
  return (person as PersonRecord).Profile;
}

export const profile: Step = {
  name: "a changed profile and its photo reach other servers, completely for contacts",
  walk: async (town) => {
    const { ann, bob, cid } = town;
    const { Guid } = await ann.find(ann);
    const { api, server } = ann;
    const details = { Bio: "Grows apples", BioFor: "contacts" };
    await api.put("/profile", { FirstName: "Anna", ...details });
    const bytes = await picture(32, 32).png().toBuffer();
    const response = await fetch(`${server.baseUrl}/api/v0/profile`, {
      method: "PUT",
      headers: { access_token: api.token },
      body: pictureForm(bytes, { LastName: "Appleseed" }),
    });
    assert.equal(response.status, 200);
    const own = await profileOf(ann, Guid);
    for (const friend of [bob, cid])
      await eventually(async () => {
        const seen = await profileOf(friend, Guid);
        assert.equal(seen.FirstName, "Anna");
        assert.equal(seen.LastName, "Appleseed");
        // ActivityPub has no data for contacts only.
        const bio = town.protocol === "diaspora" ? "Grows apples" : "";
        assert.equal(seen.Bio, bio);
        assert.equal(
          new URL(seen.ImageUrl, friend.server.baseUrl).href,
          new URL(own.ImageUrl, server.baseUrl).href,
        );
      });
    for (const stranger of strangers(town))
      assert.equal((await profileOf(stranger, Guid)).Bio, "");
  },
};

export const endSharing: Step = {
  name: "a person removed from the last aspect gets no more limited posts",
  walk: async (town) => {
    const { ann, two, bob } = town;
    const dora = await Resident.settle(two, "dora");
    const aspect = await ann.gather("neighbours", [dora]);
    const limited = { by: "ann", public: false };
    const before = await ann.publish("For neighbours", { aspect });
    await agree([dora], before, { ...limited, text: "For neighbours" });
    await ann.drop(dora, aspect);
    await ann.add(bob, aspect);
    const after = await ann.publish("Without Dora", { aspect });
    await agree([bob], after, { ...limited, text: "Without Dora" });
    await assertHidden(after, [dora], [two]);
    // Previously shared posts stay visible.
    await agree([dora], before, { ...limited, text: "For neighbours" });
    await ann.drop(bob, aspect);
  },
};

/** Waits until exactly these people wait for an answer. */
async function isAskedBy(
  who: Resident,
  askers: readonly Resident[],
): Promise<void> {
  await eventually(async () => {
    const requests = await who.api.getList("/follow_requests");
    const handles = requests.map(({ Author }) => String(Author));
    assert.deepEqual(
      handles.toSorted(),
      askers.map(({ handle }) => handle).toSorted(),
    );
  });
}

export const approveFollowers: Step = {
  name: "a person who approves followers reaches only those who are accepted",
  walk: async ({ one, two, three }) => {
    const lea = await Resident.settle(one, "lea");
    const dee = await Resident.settle(two, "dee");
    const don = await Resident.settle(three, "don");
    const pat = await Resident.settle(one, "pat");
    const askers = [dee, don, pat];
    await lea.api.put("/profile", { Locked: "true" });
    const aspects = new Map<Resident, string>();
    for (const who of askers)
      aspects.set(who, await who.gather("idols", [lea]));
    const aspectOf = (who: Resident) => aspects.get(who) ?? "";
    await isAskedBy(lea, askers);
    const to = { audience: "followers" };
    const before = await lea.publish("Before", { to });

    const pathOf = async (who: Resident) =>
      `/follow_requests/${(await lea.find(who)).ID}`;
    for (const who of [dee, pat])
      await lea.api.post(`${await pathOf(who)}/accept`);
    await lea.api.delete(await pathOf(don));
    await isAskedBy(lea, []);
    const after = await lea.publish("After", { to });
    const seen = { by: "lea", text: "After", public: false };
    await agree([lea, dee, pat], after, seen);
    await assertHidden(before, askers, [one, two, three]);
    await assertHidden(after, [don], [one, two, three]);

    // Whoever is refused may ask again, and may take that back.
    await don.drop(lea, aspectOf(don));
    await don.add(lea, aspectOf(don));
    await isAskedBy(lea, [don]);
    await don.drop(lea, aspectOf(don));
    await isAskedBy(lea, []);
    const { status } = await lea.api.call(
      "POST",
      `${await pathOf(don)}/accept`,
    );
    assert.equal(status, 404);
    const last = await lea.publish("Last", { to });
    await agree([dee, pat], last, { ...seen, text: "Last" });
    await assertHidden(last, [don], [one, two, three]);
  },
};

export const block: Step = {
  name: "a blocked person sees nothing of the blocker, and cannot reply to them",
  walk: async (town) => {
    const { ann, bob, cat, three } = town;
    const dan = await Resident.settle(three, "dan");
    await dan.gather("idols", [ann]);
    const aspect = await ann.gather("admirers", [dan]);
    await isNotified(dan, (await dan.find(ann)).Guid, ann);
    const before = await ann.publish("Before", { aspect });
    const open = await ann.publish("Before, for all");
    await agree([dan], before, { by: "ann", text: "Before", public: false });
    const said = { by: "ann", text: "Before, for all" };
    await agree([ann, bob, cat, dan], open, said);
    await dan.comment(open, "Wonderful");
    const known = { ...said, comments: ["dan: Wonderful"] };
    await agree([ann, bob, cat, dan], open, known);

    const { ID } = await ann.find(dan);
    await ann.api.post(`/people/${ID}/block`);
    await vanishes([dan], open);
    await vanishes([dan], before);
    const after = await ann.publish("After the block");
    await agree([bob, cat], after, { by: "ann", text: "After the block" });
    await settleAnn(town);
    await assertHidden(after, [dan], []);
    const { status } = await dan.api.call("POST", `/posts/${open}/comments`, {
      comment: "Let me in",
    });
    assert.equal(status, 404);
    const circles = await dan.api.getList("/aspects");
    assert.deepEqual(
      circles.map(({ Memberships }) => Memberships),
      [[]],
    );

    // Previously shared posts are visible again, but the contact is not restored.
    await ann.api.delete(`/people/${ID}/block`);
    await agree([dan], after, { by: "ann", text: "After the block" });
    await agree([dan], before, { by: "ann", text: "Before", public: false });
    const last = await ann.publish("For admirers", { aspect });
    await settleAnn(town);
    await assertHidden(last, [dan], [three]);
  },
};

export const leave: Step = {
  name: "a deleted account's content is removed on every server",
  walk: async (town) => {
    const { ann, cid, two, three, cat, servers } = town;
    const fay = await Resident.settle(two, "fay");
    const own = await fay.gather("all", [ann, cid]);
    const aspect = await ann.gather("passing", [fay]);
    await isNotified(fay, (await fay.find(ann)).Guid, ann);
    const post = await ann.publish("Who is here?");
    const limited = await ann.publish("Only Fay", { aspect });
    const asked = { by: "ann", text: "Who is here?" };
    await agree([fay, cat], post, asked);
    await fay.comment(post, "I am");
    await fay.like(post);
    const open = await fay.publish("Hello");
    const closed = await fay.publish("Hello, you two", { aspect: own });
    const answered = { comments: ["fay: I am"], likes: ["fay"] };
    await agree([ann, cid, cat], post, { ...asked, ...answered });
    await agree([ann, cid, cat], open, { by: "fay", text: "Hello" });
    const toTwo = { by: "fay", text: "Hello, you two", public: false };
    await agree([ann, cid], closed, toTwo);
    await agree([fay], limited, { by: "ann", text: "Only Fay", public: false });

    const { Guid } = await ann.find(fay);
    const { status } = await fay.api.call("DELETE", "/users", {
      password: "correct horse",
    });
    assert.equal(status, 200);
    await vanishes([ann, cid, cat], open);
    await vanishes([ann, cid], closed);
    await agree([ann, cid, cat], post, asked);
    for (const { api } of [ann, cid, cat])
      await eventually(async () => {
        const person = await api.call("GET", `/people/${Guid}`);
        assert.equal(person.status, 404);
      });
    await assertHidden(open, [ann, cid, cat], servers);
    const found = await cid.api.call("POST", "/search", { handle: fay.handle });
    assert.equal(found.status, 404);
    assert.ok((await fay.api.call("GET", "/posts")).status === 401);
    await assertHidden(limited, [cid, cat], [two, three]);
  },
};
