import { quickFetch } from "../streams/quick-fetch.ts";

/** What a browser without script keeps and sends. */
type Visitor = {
  readonly get: (
    path: string,
    headers?: Record<string, string>,
  ) => Promise<PageResponse>;
  /** Sends a form. */
  readonly post: (
    path: string,
    form: Record<string, string> | URLSearchParams,
    headers?: Record<string, string>,
  ) => Promise<PageResponse>;
  readonly cookies: () => string;
};

export type PageResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

type PageRequest = {
  readonly method?: string;
  readonly body?: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
};

const BROWSER_ACCEPT = "text/html,application/xhtml+xml,*/*;q=0.8";

/** Visits a server by HTTP alone, keeping its cookies. Redirects are not followed. */
export function visitor(baseUrl: string): Visitor {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map((pair) => pair.join("=")).join("; ");
  async function send(path: string, init: PageRequest): Promise<PageResponse> {
    const response = await quickFetch(baseUrl + path, {
      ...init,
      headers: {
        accept: BROWSER_ACCEPT,
        cookie: cookies(),
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  }
  return {
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, form, headers = {}) =>
      send(path, { method: "POST", body: new URLSearchParams(form), headers }),
    cookies,
  };
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";");
  const [name = "", value = ""] = pair.split("=");
  if (attributes.some((it) => it.trim() === "Max-Age=0")) jar.delete(name);
  else jar.set(name, value);
}

/** The token in the forms of a page. */
function csrfTokenOf({ text }: PageResponse): string {
  const [, token] = /name="csrf_token"\s+value="([^"]+)"/.exec(text) ?? [];
  if (token === undefined) throw new Error("The page has no form of a session");
  return token;
}

const PASSWORD = "correct horse";

/** Signs up and in. @returns the visitor and the token of its forms */
export async function newUser(baseUrl: string, username: string) {
  const visiting = visitor(baseUrl);
  const form = { username, password: PASSWORD };
  await visiting.post("/users/sign_up", { ...form, confirm: PASSWORD });
  await visiting.post("/users/sign_in", form);
  const token = csrfTokenOf(await visiting.get("/home"));
  return { ...visiting, csrf_token: token, username, password: PASSWORD };
}

/** The fields that a form sends beside what is typed into it. @param action where it is sent */
export function hiddenFields(
  { text }: PageResponse,
  action: string,
): Record<string, string> {
  const [, form = ""] =
    text
      .split(/<form\s+/)
      .map((it) => /^(method="post"[\s>][^]*?)<\/form>/.exec(it))
      // A form, or a button in it, names the act.
      .find((it) => it?.[1]?.includes(`action="${action}"`)) ?? [];
  const fields = form.matchAll(
    /<input\s+type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g,
  );
  return Object.fromEntries(
    [...fields].map(([, name = "", value = ""]) => [name, unescape(value)]),
  );
}

function unescape(text: string): string {
  const signs: Readonly<Record<string, string>> = {
    ...{ amp: "&", quot: '"', lt: "<", gt: ">" },
  };
  return text.replaceAll(
    /&(amp|quot|lt|gt);/g,
    (_, it: string) => signs[it] ?? "",
  );
}
