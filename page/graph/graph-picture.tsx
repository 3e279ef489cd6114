import { type ComponentChild, h } from "preact";
import { useMemo } from "preact/hooks";
import { type Part, picture } from "../../src/pure/conversation/index.ts";
import { hrefOf } from "../router.ts";
import type { Steps } from "./steps-of.ts";

interface Props {
  readonly run: string;
  readonly drawn: Steps;
  readonly zoom: number;
}

/** The same picture as `harness graph`; every box links to its event. */
export function GraphPicture({ run, drawn: { steps, seqOf }, zoom }: Props) {
  const { width, height, children } = useMemo(() => {
    const { parts, ...size } = picture(steps);
    const shown = ({ name, attributes, children: inner, step }: Part): ComponentChild => {
      const seq = step && seqOf.get(step.id);
      const element = h(name, attributes, ...inner.map((child) => (typeof child === "string" ? child : shown(child))));
      return seq === undefined ? element : <a href={hrefOf("runs", run, seq)}>{element}</a>;
    };
    return { ...size, children: parts.map(shown) };
  }, [run, steps, seqOf]);
  return (
    <svg class="graph" width={width * zoom} height={height * zoom} viewBox={`0 0 ${width} ${height}`}>
      <title>The conversation, step by step, subagents as branches</title>
      {children}
    </svg>
  );
}
