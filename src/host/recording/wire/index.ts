export { readWire, type WireCall, wireFlaws } from "./read-wire.ts";
export { wireLog } from "./wire-log.ts";
