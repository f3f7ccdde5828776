import type { Poll } from "../../features/polls/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { escapeText } from "../../lib/markdown/markdown-escape.ts";
import type { Attachments } from "./content.ts";

/**
 * A post's text, in Markdown, for readers who see its event or its poll beside it. An object holds
 * only one of the two: where a post has both, the poll is written out.
 */
export function textBeside(
  { text }: Post,
  { event, poll }: Pick<Attachments, "event" | "poll">,
): string {
  if (event) {
    // Mobilizon and Gancio treat the content as the description.
    const parts = [withPoll(text, poll), event.description];
    return parts.filter((part) => part !== "").join("\n\n");
  }
  return poll ? withQuestion(text, poll) : text;
}

/** A post's text, in Markdown, with its poll written out, for readers who see no poll. */
export function withPoll(text: string, poll: Poll | undefined): string {
  if (!poll) return text;
  const options = poll.answers.map((answer) => `- ${escapeText(answer.text)}`);
  return `${withQuestion(text, poll)}\n\n${options.join("\n")}`;
}

/**
 * A post's text, in Markdown, with the question of its poll, for readers who see the answers beside
 * it. Polls from ActivityPub have the question in the text itself.
 */
function withQuestion(text: string, { question }: Poll): string {
  return question === "" ? text : `${text}\n\n**${escapeText(question)}**`;
}
