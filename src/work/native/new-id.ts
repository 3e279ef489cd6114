import { randomBytes } from "node:crypto";

/** Makes the id of a run. */
export type NewId = (kind: "agent" | "call" | "relay") => string;

export const newId: NewId = (kind) => `${kind}_${randomBytes(9).toString("base64url")}`;
