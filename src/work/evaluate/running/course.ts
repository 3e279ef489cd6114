import type { Event, Operation } from "../../../pure/events/index.ts";
import type { View } from "../../../pure/pipeline/index.ts";
import { type Capture, capture } from "../../../pure/views/index.ts";
import type { Behavior, Durations } from "../trial/index.ts";

/** What a run shows about itself, in addition to specification 004's record. */
export interface Course {
  /** The model that the agent says has answered; null if it says none. */
  readonly answeredBy: string | null;
  /** Absent for an agent whose plain text reports nothing. */
  readonly behavior?: Behavior;
  readonly durations: Omit<Durations, "grading">;
}

export type CourseRecord = Capture & { readonly course: Course };

/** The record of specification 004 and the course of the run, in one pass over its events. */
export function courseView(isPlain: boolean): View<CourseRecord> {
  return {
    ...capture,
    open(options) {
      const inner = capture.open(options);
      const course = courseFold(isPlain);
      return {
        push(event) {
          course.see(event);
          return inner.push(event).map((record) => ({ ...record, course: course.end(record) }));
        },
        end: () => inner.end().map((record) => ({ ...record, course: course.end(record) })),
      };
    },
  };
}

function courseFold(isPlain: boolean) {
  const open = new Map<string, string>(); // call → what it asked for
  const failed = new Set<string>();
  const files = new Set<string>();
  const skills = new Set<string>();
  let answeredBy: string | null = null;
  let calls = 0;
  let failures = 0;
  let retries = 0;
  let waited = 0;
  let since: number | undefined;

  /** The model answers: the time until now was waiting. */
  function answered(at: number): void {
    if (since !== undefined) waited += Math.max(0, at - since);
    since = undefined;
  }

  function learn(operations: readonly Operation[] = []): void {
    for (const operation of operations) {
      if (operation.kind === "write") files.add(operation.path);
      if (operation.kind === "skill") skills.add(operation.skillName ?? operation.path);
    }
  }

  return {
    see({ at, body }: Event): void {
      switch (body.type) {
        case "run-start":
          since = at;
          break;
        case "session":
          answeredBy = body.model ?? answeredBy;
          break;
        case "tool-start": {
          answered(at);
          calls++;
          const asked = `${body.tool} ${JSON.stringify(body.input)}`;
          if (failed.has(asked)) retries++;
          open.set(body.callId, asked);
          learn(body.operations);
          break;
        }
        case "tool-end": {
          const asked = open.get(body.callId);
          if (body.success === false) {
            failures++;
            if (asked !== undefined) failed.add(asked);
          }
          open.delete(body.callId);
          learn(body.operations);
          if (open.size === 0) since ??= at;
          break;
        }
        case "text-delta":
        case "reasoning-delta":
        case "reasoning":
          answered(at);
          break;
        case "message":
          if (body.role === "assistant") answered(at);
          break;
        case "run-end":
          answered(at);
          break;
      }
    },
    end({ timing: { start, end, firstResponse } }: Capture): Course {
      const waiting = isPlain ? null : Math.min(waited, end - start);
      return {
        answeredBy,
        ...(!isPlain && { behavior: { calls, failed: failures, retries, files: files.size, skills: [...skills] } }),
        durations: {
          firstToken: isPlain ? null : (firstResponse ?? null),
          waiting,
          working: waiting === null ? null : end - start - waiting,
        },
      };
    },
  };
}

/** The courses of several turns as one. */
export function mergeCourses(courses: readonly Course[]): Course | undefined {
  const [first] = courses;
  if (first === undefined || courses.length === 1) return first;
  const known = courses.flatMap(({ behavior }) => behavior ?? []);
  const total = (count: (each: Behavior) => number) => known.reduce((sum, each) => sum + count(each), 0);
  const added = (name: "waiting" | "working") =>
    courses.reduce<number | null>((sum, { durations }) => (sum === null || durations[name] === null ? null : sum + durations[name]), 0);
  return {
    answeredBy: courses.at(-1)?.answeredBy ?? null,
    ...(known.length === courses.length && {
      behavior: {
        calls: total(({ calls }) => calls),
        failed: total(({ failed }) => failed),
        retries: total(({ retries }) => retries),
        files: Math.max(...known.map(({ files }) => files)),
        skills: [...new Set(known.flatMap(({ skills }) => skills))],
      },
    }),
    durations: { firstToken: first.durations.firstToken, waiting: added("waiting"), working: added("working") },
  };
}
