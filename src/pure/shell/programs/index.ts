export { PROGRAMS } from "./programs.ts";
