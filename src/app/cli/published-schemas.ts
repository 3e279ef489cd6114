import type { Schema } from "../../pure/base/index.ts";
import { viewSchemas } from "../../pure/views/index.ts";
import { evaluationSchemas } from "../../work/evaluate/index.ts";

/** Every published schema, by its name: of the views, and of what evaluations read and write. */
export const publishedSchemas: Readonly<Record<string, Schema>> = { ...viewSchemas, ...evaluationSchemas };
