export { watchCommands } from "./watch-commands.ts";
