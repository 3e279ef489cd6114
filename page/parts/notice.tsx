import type { ComponentChildren } from "preact";

interface Next {
  readonly label: string;
  readonly href?: string;
  readonly act?: () => void;
}

/** Explains an empty or failed screen, and what to do next. */
export function Notice(props: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly next?: Next;
  readonly code?: string;
}) {
  const { title, children, next, code } = props;
  return (
    <section class="notice" role="status">
      <h1>{title}</h1>
      <p>{children}</p>
      {code !== undefined && (
        <pre class="command" tabIndex={0}>
          {code}
        </pre>
      )}
      {next?.href !== undefined && (
        <a class="button" href={next.href}>
          {next.label}
        </a>
      )}
      {next?.act !== undefined && (
        <button type="button" class="button" onClick={next.act}>
          {next.label}
        </button>
      )}
    </section>
  );
}
