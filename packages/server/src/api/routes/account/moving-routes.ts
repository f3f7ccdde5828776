import { Type } from "../../../lib/json-schema.ts";
import type { SignedIn } from "../../../features/accounts/index.ts";
import { text } from "../../../http/input/input.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, one } from "../../schemas/schemas.ts";

/** The operations of moving, across protocols. */
export type MovingRoutesDeps = {
  readonly moving: {
    sign(
      user: SignedIn,
      proof: Proof,
      direction: "away" | "here",
      otherHandle: string,
    ): Promise<{
      readonly oldHandle: string;
      readonly newHandle: string;
      readonly signature: string;
    }>;
    leave(user: SignedIn, input: MoveInput): Promise<void>;
    arrive(
      user: SignedIn,
      input: MoveInput & { readonly signature: string },
    ): Promise<void>;
    listAliases(user: SignedIn): Promise<readonly string[]>;
    setAliases(
      user: SignedIn,
      names: readonly string[],
    ): Promise<readonly string[]>;
  };
};

/** The password, and the network of the client. */
type Proof = { readonly password: string; readonly from: string };

type MoveInput = Proof & {
  readonly otherHandle: string;
  readonly signature?: string;
};

const OTHER = {
  handle: text("The handle of the account on the other server"),
  password: text("The password of the account here"),
};
const SIGNING = Type.Object({
  ...OTHER,
  direction: Type.Optional(
    Type.Unsafe<"away" | "here">({
      type: "string",
      enum: ["away", "here"],
      description: "away to move there, here to move from there",
    }),
  ),
});
const MOVE = Type.Object({
  ...OTHER,
  signature: text("What the other server gave as `Signature`"),
});
const ALIASES = Type.Object({
  aliases: Type.Optional(
    Type.String({
      minLength: 0,
      description:
        "Handles or addresses of ActivityPub actors, separated by commas; blank for none",
    }),
  ),
});

/** Moving between servers: docs/moving.md describes the order of the calls. */
export function movingRoutes({ moving }: MovingRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "POST",
      limit: "credentials",
      scope: "undelegated",
      name: "signMove",
      path: "/users/self/move/signature",
      summary: "Agrees to a move, for the server of the other account.",
      needs: [
        "handle",
        "password",
        { name: "direction", error: "empty_string" },
      ],
      input: SIGNING,
      output: one("MoveSignature"),
      handle: async ({ user, from, input }) => {
        const { otherHandle, password } = readOther(input);
        const signed = await moving.sign(
          user,
          { password, from },
          input.direction,
          otherHandle,
        );
        return {
          OldHandle: signed.oldHandle,
          NewHandle: signed.newHandle,
          Signature: signed.signature,
        };
      },
    }),
    ...movesRoutes(moving),
    ...aliasesRoutes(moving),
  ];
}

function movesRoutes(moving: MovingRoutesDeps["moving"]): ApiRoute[] {
  return [
    apiRoute({
      method: "POST",
      limit: "credentials",
      scope: "undelegated",
      name: "moveAway",
      path: "/users/self/move/away",
      summary: "Moves your account to another server.",
      description:
        "With the signature of the new account everything goes along over diaspora*, and the account here is closed. Without it the followers over ActivityPub are led on, for which the new account must name this one as an alias, and nothing new can be written here.",
      needs: ["handle", "password"],
      input: MOVE,
      output: EMPTY,
      handle: async ({ user, from, input }) => {
        const { signature } = input;
        const hasSigned = signature !== undefined && signature.trim() !== "";
        await moving.leave(user, {
          ...readOther(input),
          from,
          ...(hasSigned ? { signature: signature.trim() } : {}),
        });
        return {};
      },
    }),
    apiRoute({
      method: "POST",
      limit: "credentials",
      scope: "undelegated",
      name: "moveHere",
      path: "/users/self/move/here",
      summary:
        "Tells everybody that an account elsewhere continues as this one.",
      needs: ["handle", "password", "signature"],
      input: MOVE,
      output: EMPTY,
      handle: async ({ user, from, input }) => {
        const signature = input.signature.trim();
        await moving.arrive(user, { ...readOther(input), from, signature });
        return {};
      },
    }),
  ];
}

function aliasesRoutes(moving: MovingRoutesDeps["moving"]): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "undelegated",
      name: "listAliases",
      path: "/users/self/aliases",
      summary: "Lists the ActivityPub actors that may move to your account.",
      input: NO_INPUT,
      output: one("Aliases"),
      handle: async ({ user }) => ({
        Aliases: await moving.listAliases(user),
      }),
    }),
    apiRoute({
      method: "PUT",
      limit: "costly",
      scope: "undelegated",
      name: "setAliases",
      path: "/users/self/aliases",
      summary: "Says which ActivityPub actors may move to your account.",
      input: ALIASES,
      needs: ["aliases"],
      output: one("Aliases"),
      handle: async ({ user, input: { aliases } }) => {
        const names = aliases
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== "");
        return { Aliases: await moving.setAliases(user, names) };
      },
    }),
  ];
}

function readOther({
  handle,
  password,
}: {
  readonly handle: string;
  readonly password: string;
}) {
  return { otherHandle: handle.trim().replace(/^@/, ""), password };
}
