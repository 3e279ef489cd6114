import type { Schema } from "../../pure/base/index.ts";
import { viewSchemas } from "../../pure/views/index.ts";
import { evaluationSchemas } from "../../work/evaluate/index.ts";

/** The schemas of the views and of the evaluation files, by name. */
export const publishedSchemas: Readonly<Record<string, Schema>> = { ...viewSchemas, ...evaluationSchemas };
