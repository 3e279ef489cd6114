import { randomBytes } from "node:crypto";

export type NewId = (kind: "agent" | "call" | "relay") => string;

export const newId: NewId = (kind) => `${kind}_${randomBytes(9).toString("base64url")}`;
