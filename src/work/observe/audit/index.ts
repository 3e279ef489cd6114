export { type Audit, audit } from "./audit.ts";
export {
  artifactsOf,
  block,
  type Evidence,
  evidenceIn,
  isFileBelow,
  isRelative,
  objects,
  PROCESS_FILE,
  summaryOf,
  textOf,
} from "./evidence.ts";
