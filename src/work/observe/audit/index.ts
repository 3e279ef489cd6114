export { type Audit, audit } from "./audit.ts";
export {
  artifactsOf,
  block,
  evidenceIn,
  isFileBelow,
  isRelative,
  objects,
  PROCESS_FILE,
  summaryOf,
  textOf,
} from "./evidence.ts";
