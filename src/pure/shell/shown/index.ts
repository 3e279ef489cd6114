export { ANY, type Gap, type ShownPlace } from "./collector.ts";
export { shownBy } from "./shown.ts";
