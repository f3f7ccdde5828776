import type { Poll } from "../../features/polls/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { escapeText } from "../../lib/markdown/markdown-escape.ts";
import type { Attachments } from "./content.ts";

/**
 * A post's text for readers who are shown its event or its poll beside it. Only one
 * of the two fits into one object: where a post has both, the poll is written out. Markdown.
 */
export function textBeside(
  { text }: Post,
  { event, poll }: Pick<Attachments, "event" | "poll">,
): string {
  if (event) {
    // Mobilizon and Gancio take the content for the description.
    const parts = [withPoll(text, poll), event.description];
    return parts.filter((part) => part !== "").join("\n\n");
  }
  return poll ? withQuestion(text, poll) : text;
}

/** A post's text with its poll written out, for readers who are shown no poll. Markdown. */
export function withPoll(text: string, poll: Poll | undefined): string {
  if (!poll) return text;
  const options = poll.answers.map((answer) => `- ${escapeText(answer.text)}`);
  return `${withQuestion(text, poll)}\n\n${options.join("\n")}`;
}

/**
 * A post's text with what its poll asks, for readers who are shown the answers
 * beside it. Polls from ActivityPub ask in the text itself. Markdown.
 */
function withQuestion(text: string, { question }: Poll): string {
  return question === "" ? text : `${text}\n\n**${escapeText(question)}**`;
}
