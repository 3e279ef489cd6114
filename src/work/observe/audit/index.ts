export { type Audit, audit } from "./audit.ts";
export {
  artifactsOf,
  block,
  evidenceIn,
  isFileBelow,
  isRelative,
  objects,
  summaryOf,
  textOf,
} from "./evidence.ts";
