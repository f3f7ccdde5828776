import { defineConfig, globalIgnores } from "eslint/config";
import regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";

/** node:test keeps its own promises; only a nested t.test() must be awaited. */
const nodeTest = {
  from: "package",
  package: "node:test",
  name: ["test", "it", "describe", "suite"],
};

export default defineConfig(
  globalIgnores(["node_modules/", "data/", "coverage/", "test/vectors/"]),
  {
    linterOptions: {
      noInlineConfig: true,
      reportUnusedDisableDirectives: "off",
    },
    rules: {
      "max-lines": ["error", 500],
      eqeqeq: ["error", "smart"],
      "no-constant-condition": ["error", { checkLoops: "allExceptWhileTrue" }],
      "no-dupe-else-if": "error",
      "no-duplicate-case": "error",
      "no-empty": ["error", { allowEmptyCatch: true }],
      "no-fallthrough": "error",
      "no-loss-of-precision": "error",
      "no-self-assign": "error",
      "no-self-compare": "error",
      "no-template-curly-in-string": "error",
      "no-unreachable-loop": "error",
      "no-unsafe-finally": "error",
      "no-useless-escape": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "ExportDefaultDeclaration, ExportSpecifier[exported.name='default']",
          message: "Export by name, so that it has the same name everywhere.",
        },
      ],
    },
  },
  {
    files: ["**/*.{ts,mts}"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [nodeTest] },
      ],
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": [
        "error",
        { fixStyle: "inline-type-imports" },
      ],
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-deprecated": "error",
      "@typescript-eslint/no-unnecessary-condition": "off",
      // An async function with nothing to await yet still answers a promise.
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-unused-vars": [
        "error",
        {
          argsIgnorePattern: "^_",
          varsIgnorePattern: "^_",
          ignoreRestSiblings: true,
        },
      ],
    },
  },
  {
    files: ["**/*.{js,mjs,cjs}"],
    rules: { "no-undef": "error", "no-unused-vars": "error" },
    languageOptions: {
      globals: {
        console: "readonly",
        process: "readonly",
        require: "readonly",
        module: "writable",
        __dirname: "readonly",
      },
    },
  },
  {
    // Runs in browsers, which load one module in one request.
    files: ["packages/server/assets/*.js"],
    rules: { "max-lines": ["error", 600] },
    languageOptions: {
      globals: {
        addEventListener: "readonly",
        caches: "readonly",
        clearTimeout: "readonly",
        CSS: "readonly",
        DataTransfer: "readonly",
        document: "readonly",
        DOMParser: "readonly",
        Event: "readonly",
        EventSource: "readonly",
        fetch: "readonly",
        FormData: "readonly",
        HTMLFormElement: "readonly",
        localStorage: "readonly",
        location: "readonly",
        navigator: "readonly",
        Notification: "readonly",
        PublicKeyCredential: "readonly",
        Response: "readonly",
        setInterval: "readonly",
        setTimeout: "readonly",
        self: "readonly",
        URL: "readonly",
        URLSearchParams: "readonly",
        window: "readonly",
        XMLHttpRequest: "readonly",
      },
    },
  },
  {
    // Input of strangers meets these: each takes time in proportion to its text.
    files: ["packages/*/src/**/*.ts"],
    ignores: ["**/*.test.ts", "**/*.fixture.ts"],
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": "error",
    },
  },
  { files: ["**/*.cjs"], languageOptions: { sourceType: "commonjs" } },
  {
    // Tools read their configuration from a default export.
    files: ["*.config.mjs"],
    rules: { "no-restricted-syntax": "off" },
  },
);
