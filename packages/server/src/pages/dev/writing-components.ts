import type { AudiencePreview } from "../../features/audiences/index.ts";
import type { AspectId, PhotoId } from "../../features/ids.ts";
import { html } from "../kit/html.ts";
import { composeView } from "../compose/compose-view.ts";
import {
  AUDIENCES,
  emptyDraft,
  type PostDraft,
} from "../compose/post-draft.ts";
import { audienceFields } from "../compose/post-fields.ts";
import { reachView } from "../compose/reach-view.ts";
import { writeView } from "../compose/write-view.ts";
import { pageTexts } from "../languages/texts.ts";
import { deleteView } from "../writing/writing-view.ts";
import type { KitComponent, KitInput } from "./kit-component.ts";
import { sampleForm } from "./field-components.ts";
import {
  ALL_SAMPLES,
  SAMPLE_ASPECTS,
  SAMPLES,
} from "./samples/sample-people.ts";

const EMPTY = emptyDraft({ kind: "everyone" }, null);
const FILLED: PostDraft = {
  ...EMPTY,
  ...{
    text: "Who picks on **Saturday**? @bo@kith.example",
    audience: "aspects",
  },
  ...{ aspectIds: [1 as AspectId], warning: "Wasps" },
  ...{ question: "Which tree first?", answers: "The old one\nThe tall one" },
};

const PREVIEW: AudiencePreview = {
  audience: {
    ...{ public: false, listed: false, limitedTo: "aspects", recipients: [] },
    aspects: SAMPLE_ASPECTS,
  },
  people: ALL_SAMPLES,
  hosts: ["kith.example", "far.example"],
  notKept: [
    { kind: "mentions", people: [SAMPLES.short, SAMPLES.rightToLeft] },
    { kind: "edits", hosts: ["far.example"] },
  ],
};

/** The forms for posts, and the pages that ask before something is lost. */
export function writingComponents(input: KitInput): KitComponent[] {
  return [
    { id: "composer", name: "Composer", states: composers(input) },
    { id: "audience", name: "Audience fieldset", states: audiences() },
    { id: "confirm-page", name: "Confirm page", states: confirmPages(input) },
  ];
}

function composers({ context, acting }: KitInput): KitComponent["states"] {
  const { session } = acting;
  const compose = (draft: PostDraft, aspects = SAMPLE_ASPECTS) =>
    composeView(session, aspects, draft, "");
  const src = `${context.baseUrl}/assets/icon-192.png`;
  return {
    Empty: compose(EMPTY),
    "Without aspects": compose({ ...EMPTY, audience: "followers" }, []),
    "Filled in, and refused": compose({
      ...FILLED,
      fault: pageTexts.write.pollRefused,
    }),
    "The whole form, checked, with a picture": writeView({
      ...{ session, aspects: SAMPLE_ASPECTS, draft: FILLED },
      pictures: [{ id: 1 as PhotoId, src }],
      ...{ preview: PREVIEW, notice: "The draft is saved." },
      rendered: html`<p>The text as <em>readers</em> see it.</p>`,
    }),
  };
}

function audiences(): KitComponent["states"] {
  const words = pageTexts.write.audiences;
  const fields = (audience: string, fault?: string) =>
    sampleForm(
      audienceFields(
        AUDIENCES,
        words,
        SAMPLE_ASPECTS,
        { audience, aspectIds: audience === "aspects" ? [1 as AspectId] : [] },
        fault,
      ),
    );
  const { audience, hosts } = PREVIEW;
  const nobody = { audience, people: [], hosts: [], notKept: [] };
  const open = {
    ...{ ...audience, public: true, listed: true, limitedTo: null },
    aspects: [],
  };
  return {
    "Everyone chosen": fields("everyone"),
    "An aspect chosen": fields("aspects"),
    "Nothing chosen, and a fault": fields("", pageTexts.write.noneChosen),
    "Reaches everyone": reachView({ ...nobody, audience: open, hosts }),
    "Reaches some people, and what can't be kept": reachView(PREVIEW),
    "Reaches nobody": reachView(nobody),
  };
}

function confirmPages({ acting }: KitInput): KitComponent["states"] {
  const post = {
    kind: "posts",
    ...{ guid: "post", warning: null, isKept: false },
    text: "The ladders are in the shed. ".repeat(20),
    ...{ path: "/posts/post", after: "/home", audience: undefined },
  } as const;
  return {
    "For a post": deleteView(acting.session, post),
    "For a comment, refused": deleteView(
      acting.session,
      { ...post, kind: "comments", text: "نعم" },
      "It was not deleted. Try it again.",
    ),
  };
}
