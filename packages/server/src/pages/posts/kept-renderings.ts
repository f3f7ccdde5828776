import { createLruCache } from "../../lib/caching/lru-cache.ts";
import { renderMarkdown } from "../../lib/markdown/markdown.ts";

type Context = Parameters<typeof renderMarkdown>[1];
type DiasporaLink = Parameters<NonNullable<Context["diasporaLink"]>>[0];

/** Somebody or something that a text names, and what was found of it. */
type Named = { readonly found: string } & (
  | { readonly handle: string; readonly name: string | undefined }
  | { readonly link: DiasporaLink }
);

type Kept = {
  readonly html: string;
  readonly named: readonly Named[];
  /** In characters. */
  readonly size: number;
};

/** In characters of texts and their renderings. */
const MAX_KEPT = 4_000_000;
const MAX_TEXT = 20_000;

const kept = createLruCache<string, Kept>({
  max: MAX_KEPT,
  sizeOf: ({ size }) => size,
});

/**
 * Renders Markdown, once for all its readers: parsing and cleaning take a seventh of the time of
 * Home. What is kept is used only while the people and posts that the text names are the same.
 * @param base the address of the server, to which tags lead
 */
export function renderOnce(
  text: string,
  base: string,
  context: Context,
): string {
  if (text.length > MAX_TEXT) return renderMarkdown(text, context);
  const key = `${base}\n${text}`;
  const before = kept.get(key);
  if (before?.named.every((it) => look(context, it) === it.found))
    return before.html;
  const named: Named[] = [];
  const html = renderMarkdown(text, listening(context, named));
  const size = 2 * key.length + html.length + 200 * (1 + named.length);
  kept.set(key, { html, named, size });
  return html;
}

/** Nothing that is kept refers to the context: it holds people. */
function listening(context: Context, named: Named[]): Context {
  return {
    ...context,
    mention: (handle, name) => {
      const found = context.mention(handle, name);
      named.push({ handle, name, found: said(found) });
      return found;
    },
    diasporaLink: (link) => {
      const found = context.diasporaLink?.(link);
      named.push({ link, found: said(found) });
      return found;
    },
  };
}

function look(context: Context, named: Named): string {
  return said(
    "link" in named
      ? context.diasporaLink?.(named.link)
      : context.mention(named.handle, named.name),
  );
}

function said(found: unknown): string {
  return JSON.stringify(found ?? null);
}
