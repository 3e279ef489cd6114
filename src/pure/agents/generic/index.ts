export { generic, logLine, plainText } from "./agent.ts";
