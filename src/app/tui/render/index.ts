export { rendererFor } from "./renderer-for.ts";
