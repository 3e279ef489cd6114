import type { ComponentChildren } from "preact";
import { compact, counted, dollars, duration, printable } from "../../src/pure/base/index.ts";
import { totalTokens } from "../../src/pure/events/index.ts";
import { LongText, Markdown, Status } from "../parts/index.ts";
import type { PageEvent } from "../source/index.ts";
import { innerStep, inWords, noticeTitle } from "./notice-title.ts";

interface Props {
  readonly event: PageEvent;
  /** The subagent that starts or ends here, as its lane is labelled. */
  readonly subagent?: string;
  /** The prompt that the run's first event shows; an agent that repeats it does not make a second one. */
  readonly prompt?: string | undefined;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

export function EventBodyView({ event, subagent, prompt, isOpen, toggle }: Props): ComponentChildren {
  switch (event.type) {
    case "message":
      if (event.role === "user" && event.parent === undefined && event.text === prompt) return <Small>The agent received the prompt</Small>;
      return (
        <div class={`message ${event.role}`}>
          {event.role !== "assistant" && <span class="who">{event.role === "user" ? "prompt" : "system"}</span>}
          <Markdown text={event.text} />
          {event.repeats && <Small>repeated: the request was retried</Small>}
        </div>
      );
    case "reasoning":
      return (
        <Fold
          label={event.redacted ? "Thinking, hidden by the model" : `Thinking · ${wordCount(event.text)}`}
          isOpen={isOpen}
          toggle={toggle}
        >
          <Markdown text={event.text} />
        </Fold>
      );
    case "text-delta":
    case "reasoning-delta":
      return <code class="piece">{printable(event.text.slice(0, 2000))}</code>;
    case "plan":
      return (
        <ul class="plan" aria-label="Plan">
          {event.items.map(({ text, status }, i) => (
            <li key={i} class={status}>
              {printable(text)} <span class="muted">{status === "completed" ? "" : status.replace("_", " ")}</span>
            </li>
          ))}
        </ul>
      );
    case "run-start":
      return (
        <>
          <Mark title={`Run of ${event.agent}`}>
            {event.model} {event.cwd !== undefined && <>in {printable(event.cwd)}</>}
          </Mark>
          {event.prompt !== undefined && event.prompt !== "" && (
            <div class="message user">
              <span class="who">prompt</span>
              <LongText text={event.prompt} />
            </div>
          )}
        </>
      );
    case "session":
      return (
        <Mark title="Session">
          <code>{event.sessionId}</code> {event.model} {event.agentVersion}
        </Mark>
      );
    case "subagent-start":
      return <Mark title={`Subagent ${subagent ?? event.name ?? ""} starts`}>{event.description && printable(event.description)}</Mark>;
    case "subagent-end":
      return (
        <Mark title={`Subagent ${subagent ?? event.name ?? ""} ends`}>
          {event.success === false && <span class="status bad">failed</span>}
        </Mark>
      );
    case "permission-request":
      return <Mark title="Asks for permission">{event.tool}</Mark>;
    case "permission-decision":
      return (
        <Mark title={event.decision === "allow" ? "Allowed" : "Denied"}>
          {event.tool} {event.reason && printable(event.reason)}
        </Mark>
      );
    case "compaction":
      return (
        <Mark title="The conversation was compacted">
          {event.trigger} {event.tokensBefore !== undefined && `${compact(event.tokensBefore)} tokens before`}{" "}
          {event.summary && printable(event.summary)}
        </Mark>
      );
    case "notice":
      if (event.said !== undefined) return <Small>{printable(innerStep(event.said))}</Small>;
      return <Mark title={noticeTitle(event.kind)}>{event.message && printable(event.message)}</Mark>;
    case "usage":
      return (
        <Small>
          {compact(totalTokens(event.tokens))} tokens {event.scope === "total" ? "in total" : "in this step"}
          {event.covers === "last-step" && ", of its last request only"}
          {event.incomplete && ", incomplete"}
          {event.costUsd !== undefined && ` · ${dollars(event.costUsd)}`}
        </Small>
      );
    case "result":
      return (
        <Mark title="Result">
          {event.outcome !== undefined && <Status status={event.outcome} />} {event.durationMs !== undefined && duration(event.durationMs)}{" "}
          {event.turns !== undefined && counted(event.turns, "turn")}
        </Mark>
      );
    case "warning":
    case "error":
      return (
        <div class={`problem ${event.type}`}>
          <strong>
            {event.type}
            {event.code !== undefined && ` · ${event.code}`}
          </strong>
          <LongText text={event.message} />
        </div>
      );
    case "unknown":
      return (
        <Fold label={`Not understood · ${rawText(event.raw).slice(0, 90)}`} isOpen={isOpen} toggle={toggle}>
          <LongText text={rawText(event.raw, 2)} />
        </Fold>
      );
    case "run-end":
      return (
        <div class="mark end">
          <strong>Run ends</strong> <Status status={event.status} /> <span class="muted">{event.reason.replaceAll("_", " ")}</span>{" "}
          {event.exitCode !== null && event.exitCode !== 0 && <span class="muted">exit code {event.exitCode}</span>}{" "}
          {event.signal !== null && <span class="muted">{event.signal}</span>} {event.durationMs !== null && duration(event.durationMs)}
          {event.tail !== undefined && event.tail !== "" && <LongText text={event.tail} label="The last lines it printed" />}
        </div>
      );
    case "tool-end":
      return <Small>{printable((event.output || "The call ended").slice(0, 500))}</Small>;
    case "tool-progress":
      return <Small>{printable((event.message || "The call is still running").slice(0, 500))}</Small>;
    default:
      return <LongText text={rawText(event, 2)} label={inWords((event as { type: string }).type)} />;
  }
}

function Mark({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <p class="mark">
      <strong>{printable(title)}</strong> <span class="muted">{children}</span>
    </p>
  );
}

function Small({ children }: { readonly children: ComponentChildren }) {
  return <p class="small muted">{children}</p>;
}

interface FoldProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly children: ComponentChildren;
}

function Fold({ label, isOpen, toggle, children }: FoldProps) {
  return (
    <div class="fold">
      <button type="button" class="opener" aria-expanded={isOpen} onClick={toggle}>
        {printable(label)}
      </button>
      {isOpen && <div class="folded">{children}</div>}
    </div>
  );
}

function wordCount(text: string): string {
  const number = text.split(/\s+/).filter(Boolean).length;
  return counted(number, "word");
}

export function rawText(value: unknown, indent?: number): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value, null, indent) ?? String(value);
  } catch {
    return String(value);
  }
}
