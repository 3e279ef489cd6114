/** Sessions that agents keep on disk: find them, and make recordings of them. */

export { type Imported, importSessions } from "./import-sessions.ts";
