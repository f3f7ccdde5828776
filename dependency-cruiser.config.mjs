// The boundaries of docs/architecture.md, as dependency-cruiser rules. A folder
// may import what its row lists and nothing else of Kith; type-only imports
// count. test/house/boundaries.test.ts proves every rule here by breaking it.

const src = "^packages/server/src";
const tests = "\\.(test|fixture)\\.ts$|^packages/[^/]+/test/";

/** The imports that each folder of the server may have from the server, besides itself. */
const rows = {
  doctor: [
    ...["federation", "features", "backups", "jobs", "db", "config"],
    ...["observability", "lib"],
  ],
  config: ["observability", "lib"],
  cli: ["features", "backups", "db", "observability", "lib"],
  api: ["features", "http", "observability", "lib"],
  oauth: ["features", "http", "observability", "lib"],
  "mastodon-api": ["features", "http", "observability", "lib"],
  caldav: ["features", "http", "observability", "lib"],
  pages: ["features", "http", "observability", "lib"],
  http: ["config", "observability", "lib"],
  federation: ["features", "jobs", "db", "http", "observability", "lib"],
  features: ["jobs", "db", "observability", "lib"],
  backups: ["jobs", "db", "observability", "lib"],
  jobs: ["db", "observability", "lib"],
  db: ["observability", "lib"],
  observability: ["lib"],
  lib: [],
};

const never = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from,
  to,
});

/** A rule for sources only: a test may reach what it needs to set a scene. */
const neverInSources = (name, comment, { pathNot = [], ...from }, to) =>
  never(name, comment, { ...from, pathNot: [tests, ...pathNot] }, to);

const protocolPackages = "^packages/(activitypub|diaspora)/";

// Broken by a feature too, but said more plainly by a rule of its own.
const transports = [
  `${src}/(api|mastodon-api|oauth|pages|http|federation)/`,
  "^packages/(activitypub|diaspora)/",
];

function rowRule([folder, allowed]) {
  const own = [folder, ...allowed].join("|");
  const federation = folder === "federation" ? [protocolPackages] : [];
  const features = folder === "features" ? transports : [];
  return neverInSources(
    `${folder}-imports-its-row`,
    `${folder}/ may import ${allowed.join(", ") || "nothing"} of the server.`,
    { path: `${src}/${folder}/` },
    {
      path: "^packages/",
      pathNot: [
        `${src}/(${own})/`,
        // Where npm puts a second version of what others have, too.
        "^packages/[^/]+/node_modules/",
        tests,
        ...federation,
        ...features,
      ],
    },
  );
}

const rowRules = [
  ...Object.entries(rows).map(rowRule),
  neverInSources(
    "main-imports-its-row",
    "main.ts knows compose/, config/, cli/ and processes; everything else is composed.",
    { path: `${src}/main\\.ts$` },
    {
      path: "^packages/",
      pathNot: `${src}/(compose/|config/|cli/|lib/processes/)`,
    },
  ),
  neverInSources(
    "every-folder-has-a-row",
    "A new folder needs a row in docs/architecture.md and in this file.",
    {
      path: `${src}/`,
      pathNot: [
        `${src}/(main\\.ts$|compose/)`,
        `${src}/(${Object.keys(rows).join("|")})/`,
      ],
    },
    {},
  ),
  neverInSources(
    "http-takes-only-types-of-config",
    "http/ may name a setting's type; its value is an argument.",
    { path: `${src}/http/` },
    { path: `${src}/config/`, dependencyTypesNot: ["type-only"] },
  ),
];

const doorRules = [
  neverInSources(
    "features-know-no-transport",
    "A feature knows people, posts and aspects, not how they travel.",
    { path: `${src}/features/` },
    { path: transports },
  ),
  neverInSources(
    "feature-door-only",
    "From outside, a feature is its index.ts.",
    { path: "^packages/", pathNot: [`${src}/features/`] },
    { path: `${src}/features/[^/]+/(?!index\\.ts$)`, pathNot: tests },
  ),
  neverInSources(
    "door-between-features",
    "A feature meets another feature at its index.ts.",
    { path: `${src}/features/([^/]+)/` },
    {
      path: `${src}/features/[^/]+/(?!index\\.ts$)`,
      pathNot: [`${src}/features/$1/`, tests],
    },
  ),
  neverInSources(
    "package-door-only",
    "A protocol package is what its src/index.ts exports.",
    { path: `${src}/` },
    {
      path: `${protocolPackages}(?!src/index\\.ts$)`,
      pathNot: tests,
    },
  ),
];

const protocolRules = [
  never(
    "protocol-packages-stand-alone",
    "A protocol package imports nothing of Kith, its tests neither.",
    { path: protocolPackages },
    { path: "^packages/", pathNot: "^packages/$1/" },
  ),
  neverInSources(
    "protocols-are-pure",
    "Bytes, keys and the time go in, values come out: no machine, no network.",
    { path: protocolPackages },
    {
      dependencyTypes: ["core"],
      pathNot:
        "^(node:)?(assert|buffer|crypto|punycode|querystring|string_decoder|url|util|zlib)(/|$)",
    },
  ),
  neverInSources(
    "activitypub-folder-knows-no-diaspora",
    "The two translators never meet; discovery/ and fan-out.ts sit above both.",
    { path: `${src}/federation/activitypub/` },
    { path: [`${src}/federation/diaspora/`, "^packages/diaspora/"] },
  ),
  neverInSources(
    "diaspora-folder-knows-no-activitypub",
    "The two translators never meet; discovery/ and fan-out.ts sit above both.",
    { path: `${src}/federation/diaspora/` },
    { path: [`${src}/federation/activitypub/`, "^packages/activitypub/"] },
  ),
  neverInSources(
    "delivery-knows-no-protocol",
    "One POST to one inbox; what signs it is passed in.",
    { path: `${src}/federation/delivery/` },
    { path: [`${src}/federation/(activitypub|diaspora)/`, protocolPackages] },
  ),
  neverInSources(
    "only-translators-know-the-protocols",
    "Beside the two translators and discovery/, federation/ speaks no protocol.",
    {
      path: `${src}/federation/`,
      pathNot: [`${src}/federation/(activitypub|diaspora|discovery|delivery)/`],
    },
    { path: protocolPackages },
  ),
];

const renderRules = [
  neverInSources(
    "renderers-compute",
    "Renderers read nothing: what they need is loaded before, in outbound/load/.",
    { path: `${src}/federation/(activitypub|diaspora)/render/` },
    {
      path: [
        `${src}/(db|jobs|http|observability|lib/http-client|lib/media)/`,
        `${src}/federation/`,
      ],
      pathNot: [
        `${src}/federation/$1/render/`,
        `${src}/federation/$1/records/uris\\.ts$`,
        `${src}/federation/outbound/(content|outgoing|post-text)\\.ts$`,
        `${src}/federation/quoted\\.ts$`,
        `${src}/federation/remote-people/proven-origins\\.ts$`,
      ],
    },
  ),
  neverInSources(
    "renderers-use-no-machine",
    "Renderers compute: of Node they need hashes and keys alone.",
    { path: `${src}/federation/(activitypub|diaspora)/render/` },
    { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
  ),
];

const generalRules = [
  never("no-cycles", "Arrows point one way.", {}, { circular: true }),
  never(
    "everything-resolves",
    "An import that cannot be followed is a boundary that is not checked.",
    {},
    { couldNotResolve: true },
  ),
  neverInSources(
    "declared-dependencies-only",
    "A package imports what its own package.json lists under dependencies.",
    { path: "^packages/" },
    {
      dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "npm-optional"],
      pathNot: "^node_modules/@types/",
    },
  ),
  neverInSources(
    "sources-import-no-tests",
    "Dependencies of tests alone stay out of the server.",
    { path: "^packages/[^/]+/src/" },
    { path: [tests, "^test/"] },
  ),
];

export default {
  forbidden: [
    ...generalRules,
    ...rowRules,
    ...doorRules,
    ...protocolRules,
    ...renderRules,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    // Builtins that exist under their node: name alone.
    builtInModules: {
      add: ["node:sea", "node:sqlite", "node:test", "node:test/reporters"],
    },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".js", ".cjs", ".mjs", ".json", ".d.ts"],
    },
  },
};
