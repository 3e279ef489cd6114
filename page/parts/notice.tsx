import type { ComponentChildren } from "preact";

interface Next {
  readonly words: string;
  readonly href?: string;
  readonly act?: () => void;
}

/** Nothing to show, or something wrong: what it is, and what to do next. */
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
          {next.words}
        </a>
      )}
      {next?.act !== undefined && (
        <button type="button" class="button" onClick={next.act}>
          {next.words}
        </button>
      )}
    </section>
  );
}
