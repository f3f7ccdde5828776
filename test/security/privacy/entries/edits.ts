import {
  both,
  isHere,
  maker,
  named,
  ofPost,
  own,
  type Entry,
} from "../probes.ts";

/** Edits, their history, and conversations below posts. */
export const EDIT_ENTRIES: Readonly<Record<string, Entry>> = {
  "PUT /api/v0/posts/:id": [
    ofPost("", {
      form: () => ({ language: "en" }),
      only: (subject, viewer) => own(subject, viewer) && isHere(subject),
    }),
  ],
  "PUT /api/v0/posts/:id/mute": [ofPost("/mute")],
  "DELETE /api/v0/posts/:id/mute": [ofPost("/mute")],
  "GET /api/v0/posts/:id/thread": [
    named("post", "/posts", "/thread"),
    {
      ...named("comment", "/posts", "/thread"),
      paths: ({ post }) => both("/api/v0/posts", "/thread")(post),
    },
  ],
  "GET /api/v0/comments/:id/thread": [named("comment", "/comments", "/thread")],
  "PUT /api/v0/comments/:id": [
    named("comment", "/comments", "", {
      form: () => ({ language: "en" }),
      only: maker,
      shows: false,
    }),
  ],
  "PUT /api/v0/photos/:id": [
    named("photo", "/photos", "", {
      form: () => ({ text: "x" }),
      only: maker,
      shows: false,
    }),
  ],
  "GET /api/v0/calendar/events/:id/history": [
    named("event", "/calendar/events", "/history", { shows: false }),
  ],
};
