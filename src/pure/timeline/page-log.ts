import { mapView, type View } from "../pipeline/index.ts";
import { type LogRecord, log } from "../views/index.ts";

/** The `log` view, and what an agent of our own said in the words of specification 002: the views that repeat it need it. */
export const pageLog: View<LogRecord> = mapView(log, (records, { body: { said } }) =>
  said === undefined ? records : records.map((record) => ({ ...record, said })),
);
